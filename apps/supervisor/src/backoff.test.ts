import { expect, test } from "vitest";
import { createBackoff } from "./backoff.ts";

test("the pause between starts doubles up to 10 s", () => {
  const backoff = createBackoff();
  const pauses = Array.from({ length: 8 }, () => backoff.next(50));
  expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
});

test("after a run of 10 s the next start comes at once, and then the pauses begin at the first one again", () => {
  const backoff = createBackoff();
  for (const _ of [1, 2, 3]) backoff.next(50);
  expect([10_000, 50, 50].map((livedMs) => backoff.next(livedMs))).toEqual([0, 200, 400]);
});
