import { intentStatuses } from "@palisade/contract/http/billing";
import { expect, test } from "vitest";
import { isFinal, pollDelayMs } from "./polling.ts";

test("polls after a second, then less and less often, at most 15 seconds apart", () => {
  expect([1, 2, 3, 4, 5, 6, 1_000].map(pollDelayMs)).toEqual([
    1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
  ]);
});

test("only a pending top-up is polled again", () => {
  expect(intentStatuses.filter((status) => !isFinal(status))).toEqual(["pending"]);
});
