import { expect, test } from "vitest";
import { createWindowCounter } from "./window-counter.ts";

test("hits are counted per subject until the window of the first one ends", () => {
  const { hit } = createWindowCounter();
  expect([hit("a", 60, 0).hits, hit("a", 60, 59_999).hits, hit("b", 60, 0).hits]).toEqual([
    1, 2, 1,
  ]);
  expect(hit("a", 60, 60_000)).toEqual({ hits: 1, expiresAtMs: 120_000 });
});

test("memory is bounded: the oldest window is forgotten first", () => {
  const { hit } = createWindowCounter(2);
  for (const subject of ["a", "b", "a", "c"]) hit(subject, 60, 0);
  expect([hit("b", 60, 0).hits, hit("c", 60, 0).hits]).toEqual([2, 2]);
  expect(hit("a", 60, 0).hits).toBe(1);
});
