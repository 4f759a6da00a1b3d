import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isQuiet, mailDueAt, type MailTimes } from "./quiet-hours.policy.ts";

const night = { from: 23 * 60, until: 7 * 60 };
const berlin = (changes: Partial<MailTimes> = {}): MailTimes => ({
  digest: "off",
  quietHours: null,
  timeZone: "Europe/Berlin",
  ...changes,
});
const due = (times: MailTimes, at: string) => mailDueAt(times, new Date(at)).toISOString();

describe("a mail", () => {
  test("is due at once without quiet hours and digest", () => {
    expect(due(berlin(), "2026-11-01T12:00:30.000Z")).toBe("2026-11-01T12:00:30.000Z");
  });

  test("waits for the end of quiet hours in the owner's time zone, over midnight too", () => {
    const times = berlin({ quietHours: night });
    expect(due(times, "2026-11-01T22:30:00.000Z")).toBe("2026-11-02T06:00:00.000Z");
    expect(due(times, "2026-11-02T02:00:00.000Z")).toBe("2026-11-02T06:00:00.000Z");
    expect(due(times, "2026-11-02T06:00:00.000Z")).toBe("2026-11-02T06:00:00.000Z");
    expect(due(times, "2026-11-02T21:59:00.000Z")).toBe("2026-11-02T21:59:00.000Z");
  });

  test("comes at seven by the clock also in the nights in which the clocks change", () => {
    const times = berlin({ quietHours: night });
    expect(due(times, "2026-10-24T23:00:00.000Z")).toBe("2026-10-25T06:00:00.000Z");
    expect(due(times, "2027-03-27T23:00:00.000Z")).toBe("2027-03-28T05:00:00.000Z");
  });

  test("comes when clocks jump over the end of the quiet hours", () => {
    const early = berlin({ quietHours: { from: 23 * 60, until: 150 } });
    // From 2:00 to 3:00 in the morning of 29 March 2026.
    expect(due(early, "2026-03-28T23:00:00.000Z")).toBe("2026-03-29T01:00:00.000Z");
    expect(due(early, "2026-03-29T00:30:00.000Z")).toBe("2026-03-29T01:00:00.000Z");
    expect(due(early, "2026-03-29T01:30:00.000Z")).toBe("2026-03-29T01:30:00.000Z");
    // From midnight to 1:00 on 6 September 2026.
    const santiago = { timeZone: "America/Santiago", quietHours: { from: 20 * 60, until: 0 } };
    expect(due(berlin(santiago), "2026-09-06T02:00:00.000Z")).toBe("2026-09-06T04:00:00.000Z");
    expect(due(berlin(santiago), "2026-09-06T03:30:00.000Z")).toBe("2026-09-06T04:00:00.000Z");
    // Quiet but for the half hour that is jumped over.
    const nearlyAll = { ...santiago, quietHours: { from: 30, until: 0 } };
    expect(due(berlin(nearlyAll), "2026-09-06T02:00:00.000Z")).toBe("2026-09-07T03:00:00.000Z");
  });

  test("with a digest comes at the next hour, or the next day at nine", () => {
    expect(due(berlin({ digest: "hourly" }), "2026-11-01T12:20:10.000Z")).toBe(
      "2026-11-01T13:00:00.000Z",
    );
    expect(due(berlin({ digest: "daily" }), "2026-11-01T12:20:10.000Z")).toBe(
      "2026-11-02T08:00:00.000Z",
    );
    expect(
      due(
        { ...berlin({ digest: "hourly" }), timeZone: "Asia/Kolkata" },
        "2026-11-01T12:20:00.000Z",
      ),
    ).toBe("2026-11-01T12:30:00.000Z");
  });

  test("is never due in quiet hours, and never in the past", () => {
    const minute = fc.integer({ min: 0, max: 1_439 });
    fc.assert(
      fc.property(
        minute,
        minute,
        fc.constantFrom("off", "hourly", "daily"),
        fc.constantFrom(
          "UTC",
          "Europe/Berlin",
          "America/St_Johns",
          "America/Santiago",
          "Africa/Cairo",
        ),
        fc.date({ min: new Date("2026-01-01"), max: new Date("2027-01-01"), noInvalidDate: true }),
        (from, until, digest, timeZone, now) => {
          fc.pre(from !== until);
          const quietHours = { from, until };
          const at = mailDueAt({ digest, quietHours, timeZone }, now);
          expect(at.getTime()).toBeGreaterThanOrEqual(now.getTime());
          expect(at.getTime() - now.getTime()).toBeLessThan(75 * 3_600_000);
          expect(isQuiet(quietHours, timeZone, at)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});
