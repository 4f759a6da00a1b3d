import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { areaPath, linePath, nearestIndex, niceCeiling, points } from "./chart-scale.ts";

const box = { width: 100, height: 40 };

describe("chart scale", () => {
  test.each([
    [0, 1],
    [3.5, 4],
    [10, 10],
    [4812, 5000],
    [0.31, 0.4],
  ])("the axis above %d ends at %d", (value, top) => expect(niceCeiling(value)).toBeCloseTo(top));

  test("every point lies inside the box", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 200 }), (values) => {
        for (const [x, y] of points(values, niceCeiling(Math.max(...values)), box)) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(box.width);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(box.height);
        }
      }),
    );
  });

  test("a line runs from the left edge to the right one", () => {
    expect(linePath(points([0, 10], 10, box))).toBe("M0 40L100 0");
  });

  test("an area is closed along the base line, and empty without values", () => {
    expect(areaPath(points([10, 10], 10, box), box)).toBe("M0 0L100 0L100 40L0 40Z");
    expect(areaPath([], box)).toBe("");
  });

  test("the pointer finds the nearest value", () => {
    expect(nearestIndex(51, 100, 3)).toBe(1);
    expect(nearestIndex(-5, 100, 3)).toBe(0);
    expect(nearestIndex(500, 100, 3)).toBe(2);
  });
});
