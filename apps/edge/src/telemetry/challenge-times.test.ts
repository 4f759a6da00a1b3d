import { challengeKeysMax } from "@palisade/contract/edge/plain-values";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import { describe, expect, test } from "vitest";
import { ChallengeTimes } from "./challenge-times.ts";

const protocols = [...new Set(knownReleases.map(({ protocol }) => protocol))];

function sumOf(counts: readonly (readonly [string, readonly number[]])[]): number {
  return counts.flatMap(([, each]) => each).reduce((sum, count) => sum + count, 0);
}

describe("times to pass", () => {
  test("fall into the range that ends at them, and above the last end into one more", () => {
    const times = new ChallengeTimes();
    for (const ms of [0, 500, 501, 32_000, 32_001]) times.passed(ms, 47, "gravity");
    expect(times.take()).toEqual([["gravity:47", [2, 1, 0, 0, 0, 0, 1, 1, 0]]]);
    expect([times.isEmpty, times.take()]).toEqual([true, undefined]);
  });

  test("any number of protocols takes bounded room, and no check is lost", () => {
    const times = new ChallengeTimes();
    for (const protocol of protocols) {
      times.passed(100, protocol, "protocol");
      times.failed(protocol, "captcha");
    }
    const counts = times.take() ?? [];
    expect(counts.length).toBeLessThanOrEqual(challengeKeysMax + 4);
    expect(sumOf(counts)).toBe(2 * protocols.length);
  });

  test("failures of bots leave room for the protocols of players who pass", () => {
    const times = new ChallengeTimes();
    for (const protocol of protocols) times.failed(protocol, "gravity");
    times.passed(100, 765, "gravity");
    expect(times.take()?.some(([key, counts]) => key === "gravity:765" && counts[0] === 1)).toBe(
      true,
    );
  });

  test("the counts of threads add up", () => {
    const [first, second, sum] = [new ChallengeTimes(), new ChallengeTimes(), new ChallengeTimes()];
    first.passed(100, 47, "protocol");
    second.passed(100, 47, "protocol");
    second.failed(47, "protocol");
    sum.add(first.take() ?? []);
    sum.add(second.take() ?? []);
    expect(sum.take()).toEqual([["protocol:47", [2, 0, 0, 0, 0, 0, 0, 0, 1]]]);
  });
});
