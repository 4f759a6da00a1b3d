import { describe, expect, test } from "vitest";
import { addAll, asRate, changePercent, inZone, zerosWhereKnown } from "./values.ts";

test("a sum is known where one of its parts is", () => {
  expect(
    addAll([
      [1, null, null],
      [2, 5, null],
    ]),
  ).toEqual([3, 5, null]);
  expect(zerosWhereKnown([4, null, 0])).toEqual([0, null, 0]);
});

describe("a rate", () => {
  const times = [0, 60_000, 120_000];

  test("divides a step that is not over by the time that has passed", () => {
    const clock = { times, stepMs: 60_000, nowMs: 150_000 };
    expect(asRate([60, null, 60], clock, 8)).toEqual([8, null, 16]);
  });

  test("is not blown up for a step that has just begun", () => {
    const clock = { times, stepMs: 60_000, nowMs: 120_001 };
    expect(asRate([0, 0, 60], clock, 1)).toEqual([0, 0, 6]);
  });
});

test("a change is in per cent of what was before, and unknown where there was nothing", () => {
  expect(changePercent(150, 100)).toBe(50);
  expect(changePercent(50, 100)).toBe(-50);
  expect([changePercent(5, 0), changePercent(5, null), changePercent(null, 5)]).toEqual([
    null,
    null,
    null,
  ]);
});

test("the hours of the week move to the reader's zone, across the ends of the week", () => {
  const hours = Array.from({ length: 168 }, (_, hour) => hour);
  expect(inZone(hours, 120).slice(0, 4)).toEqual([166, 167, 0, 1]);
  expect(inZone(hours, -300).at(-1)).toBe(4);
  expect(inZone(hours, 0)).toEqual(hours);
});
