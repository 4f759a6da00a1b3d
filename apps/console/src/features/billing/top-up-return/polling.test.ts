import { intentStatuses } from "@palisade/contract/http/billing";
import { expect, test } from "vitest";
import { isFinal, pollDelayMs } from "./polling.ts";

test("looks again after a second, then ever later, at most 15 seconds apart", () => {
  expect([1, 2, 3, 4, 5, 6, 1_000].map(pollDelayMs)).toEqual([
    1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
  ]);
});

test("only what is pending is worth another look", () => {
  expect(intentStatuses.filter((status) => !isFinal(status))).toEqual(["pending"]);
});
