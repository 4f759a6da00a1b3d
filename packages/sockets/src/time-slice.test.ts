import { getPriority, release } from "node:os";
import { expect, test } from "vitest";
import { setTimeSlice } from "./time-slice.ts";

const [major = 0, minor = 0] = release().split(".").map(Number);
const isKnownToKernel = major > 6 || (major === 6 && minor >= 12);

test.runIf(isKnownToKernel)(
  "the kernel gives turns of the length that was asked for, within its bounds",
  () => {
    const before = getPriority();
    expect(setTimeSlice(0.1)).toBe(0.1);
    expect(setTimeSlice(5)).toBe(5);
    expect(setTimeSlice(0.001)).toBe(0.1);
    expect(getPriority()).toBe(before);
  },
);

test("asking never fails, whatever the kernel makes of it", () => {
  expect(setTimeSlice(3)).toBeGreaterThanOrEqual(0);
});
