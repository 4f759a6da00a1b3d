import { expect, test } from "vitest";
import { drawingOf } from "./drawing.ts";
import type { ChartSeries } from "./series.ts";

const one: ChartSeries = { id: "one", label: "One", colour: "accent", values: [1, 2] };
const two: ChartSeries = { id: "two", label: "Two", colour: "attack", values: [3, 30] };
const before: ChartSeries = { id: "before", label: "Before", colour: "previous", values: [4, 4] };
const usual = { hidden: new Set<string>(), isStacked: false, isWhole: true, height: 100 };

test("a series that is switched off is not drawn and does not stretch the axis", () => {
  const all = drawingOf({ ...usual, series: [one, two] });
  const without = drawingOf({ ...usual, series: [one, two], hidden: new Set(["two"]) });
  expect(all.axis.top).toBe(30);
  expect(without.axis.top).toBe(2);
  expect(without.shapes.map(({ id }) => id)).toEqual(["one"]);
});

test("the period before is a line that is not added to a stack", () => {
  const { axis, shapes } = drawingOf({ ...usual, series: [one, two, before], isStacked: true });
  expect(axis.top).toBe(40);
  expect(shapes.map(({ id, area }) => [id, area !== null])).toEqual([
    ["before", false],
    ["one", true],
    ["two", true],
  ]);
});
