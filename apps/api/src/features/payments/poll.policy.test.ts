import { describe, expect, test } from "vitest";
import { eventRetryMs, nextPollAt } from "./poll.policy.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const expiresAt = new Date("2030-01-15T12:00:00Z");
const at = (afterMs: number): Date => new Date(expiresAt.getTime() + afterMs);

describe("the next poll", () => {
  test("is twice as far away each time for a pending intent, up to 30 minutes", () => {
    const minutes = [0, 1, 2, 3, 4, 5, 6, 99].map((polls) => {
      const next = nextPollAt({ status: "pending", polls, expires_at: expiresAt }, at(0));
      return ((next?.getTime() ?? 0) - at(0).getTime()) / minuteMs;
    });
    expect(minutes).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  test("comes ever later for an expired intent, the last one after seven days", () => {
    const intent = { status: "expired", polls: 9, expires_at: expiresAt } as const;
    const pauses: number[] = [];
    let now = at(5 * minuteMs);
    for (let next = nextPollAt(intent, now); next !== null; next = nextPollAt(intent, now)) {
      pauses.push(next.getTime() - now.getTime());
      now = next;
    }
    expect(now).toEqual(at(7 * dayMs));
    expect(pauses.length).toBeLessThan(12);
    const growing = pauses.slice(0, -1);
    expect(growing).toEqual(growing.toSorted((a, b) => a - b));
    expect(nextPollAt(intent, at(7 * dayMs))).toBeNull();
  });

  test("is twice as far away each time for an event, up to six hours", () => {
    const minutes = [0, 1, 2, 5, 6, 99].map((tries) => eventRetryMs(tries) / minuteMs);
    expect(minutes).toEqual([10, 20, 40, 320, 360, 360]);
  });
});
