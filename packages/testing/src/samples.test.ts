import { afterEach, expect, test, vi } from "vitest";
import { byTurns } from "./samples.ts";

const items = [0, 1, 2, 3, 4, 5];
afterEach(() => vi.unstubAllEnvs());

test("each item is in one of both groups, and in both when all is tested", () => {
  vi.stubEnv("PALISADE_WHOLE", "");
  expect([byTurns(items, 0), byTurns(items, 1)]).toEqual([
    [0, 2, 4],
    [1, 3, 5],
  ]);
  vi.stubEnv("PALISADE_WHOLE", "yes");
  expect([byTurns(items, 0), byTurns(items, 1)]).toEqual([items, items]);
});
