import { describe, expect, test } from "vitest";
import { medianOf, presentChallengeTimes } from "./challenge-times.ts";

describe("the median of times known by ranges", () => {
  test.each([
    ["none", [0, 0, 0, 0, 0, 0, 0, 0], null],
    ["one in the first range is in its middle", [1, 0, 0, 0, 0, 0, 0, 0], 250],
    ["the half ends with a range", [2, 2, 0, 0, 0, 0, 0, 0], 500],
    ["within a range, as if spread evenly", [1, 0, 3, 0, 0, 0, 0, 0], 1_333],
    ["above the last end, that end", [0, 0, 0, 0, 0, 0, 1, 9], 32_000],
  ])("%s", (_what, counts, median) => {
    expect(medianOf(counts)).toBe(median);
  });
});

test("challenges come weakest first, with their versions, most frequent first", () => {
  const passed = (n: number) => [0, n, 0, 0, 0, 0, 0, 0];
  const times = presentChallengeTimes([
    { challenge: "captcha", protocol: 765, passed: passed(9), failed: 1 },
    { challenge: "protocol", protocol: 47, passed: passed(5), failed: 0 },
    { challenge: "protocol", protocol: -1, passed: passed(0), failed: 7 },
  ]);
  expect(times).toEqual({
    days: 7,
    challenges: [
      {
        challenge: "protocol",
        passed: 5,
        failed: 7,
        median_ms: 750,
        versions: [
          {
            protocol: 47,
            version: expect.stringMatching(/^1\.8/),
            passed: 5,
            failed: 0,
            median_ms: 750,
          },
          { protocol: null, version: null, passed: 0, failed: 7, median_ms: null },
        ],
      },
      {
        challenge: "captcha",
        passed: 9,
        failed: 1,
        median_ms: 750,
        versions: [{ protocol: 765, version: "1.20.4", passed: 9, failed: 1, median_ms: 750 }],
      },
    ],
  });
});
