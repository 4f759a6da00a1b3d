import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centred, pulled, squareOf } from "./crop.ts";

const wide = { width: 300, height: 100 };

describe("a picture's square", () => {
  test("starts in the middle, as large as possible", () => {
    expect(squareOf(wide, centred)).toEqual({ left: 100, top: 0, side: 100 });
    expect(squareOf(wide, { zoom: 2, across: 0, down: 1 })).toEqual({ left: 0, top: 50, side: 50 });
  });

  test("follows a drag: dragged to the right, it shows more of the left", () => {
    const after = squareOf(wide, pulled(wide, centred, { x: 0.5, y: 0.5 }));
    expect(after).toEqual({ left: 50, top: 0, side: 100 });
  });

  test("never leaves the picture", () => {
    const part = fc.double({ min: -3, max: 20, noNaN: true });
    const length = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(length, length, part, part, part, (width, height, zoom, across, down) => {
        const size = { width, height };
        const framing = pulled(size, { zoom, across, down }, { x: down, y: across });
        const { left, top, side } = squareOf(size, framing);
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
        expect(left + side).toBeLessThanOrEqual(width + 1e-6);
        expect(top + side).toBeLessThanOrEqual(height + 1e-6);
      }),
    );
  });
});
