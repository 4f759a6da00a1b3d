import { readFileSync } from "node:fs";
import { getPriority, release } from "node:os";
import { expect, test } from "vitest";
import { setRealTime, setTimeSlice } from "./scheduling.ts";

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

test("a thread goes before all others where that is permitted, and back with its niceness", () => {
  const before = getPriority();
  const isGiven = setRealTime(true);
  expect(policyOfThread()).toBe(isGiven ? roundRobin : usual);
  expect(setRealTime(false)).toBe(true);
  expect(policyOfThread()).toBe(usual);
  expect(getPriority()).toBe(before);
});

const usual = 0;
const roundRobin = 2;

/** Field 41 of proc_pid_stat(5); its second may hold spaces and ends with the last bracket. */
function policyOfThread(): number {
  const stat = readFileSync("/proc/thread-self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[41 - 3]);
}
