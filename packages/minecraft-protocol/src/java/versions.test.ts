import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  atLeast,
  currentProtocol,
  isKnown,
  knownReleases,
  newestRelease,
  versionRange,
} from "./versions.ts";

/** The fallback list of the console for when it cannot load the table. */
const fallbackList = (
  "1.5.2 1.6.4 1.7.10 1.8 1.8.8 1.9.4 1.10.2 1.11.2 1.12.2 1.13.2 1.14.4 1.15.2 1.16.5 1.17.1 " +
  "1.18.2 1.19.4 1.20.4 1.20.6 1.21 1.21.1 1.21.8"
).split(" ");
const names = knownReleases.map(({ version }) => version);
const snapshot = 0x40000001;

function admits(min: string, max: string | null, protocol: number): boolean | undefined {
  return versionRange(min, max)?.has(protocol);
}

describe("the table", () => {
  test("holds every version of the console's fallback list, in its order", () => {
    expect(names.filter((name) => fallbackList.includes(name))).toEqual(fallbackList);
  });

  test("begins with 1.5.2, names each version once, and keeps those of one number together", () => {
    expect(names[0]).toBe("1.5.2");
    expect(new Set(names).size).toBe(names.length);
    const numbers = knownReleases.map(({ protocol }) => protocol);
    const runs = numbers.filter((protocol, index) => protocol !== numbers[index - 1]);
    expect(new Set(runs).size).toBe(runs.length);
    expect(numbers.every((protocol) => Number.isInteger(protocol) && protocol > 0)).toBe(true);
    expect(names.at(-1)).toBe(newestRelease);
    expect(numbers.at(-1)).toBe(currentProtocol);
  });
});

describe("versions", () => {
  test("are compared by position, not by number", () => {
    expect(atLeast(78, "1.8")).toBe(false);
    expect(atLeast(47, "1.6.4")).toBe(true);
    expect(atLeast(763, "1.20.2")).toBe(false);
    expect(atLeast(764, "1.20.2")).toBe(true);
    expect(atLeast(766, "1.20.5")).toBe(true);
    expect(atLeast(765, "1.20.5")).toBe(false);
  });

  test("numbers above the table and snapshots are later, other unknown ones earlier", () => {
    expect(atLeast(currentProtocol + 1, newestRelease)).toBe(true);
    expect(atLeast(snapshot, "1.20.5")).toBe(true);
    expect(atLeast(-1, "1.5.2")).toBe(false);
    expect(atLeast(200, "1.5.2")).toBe(false);
    expect(isKnown(200)).toBe(false);
    expect(isKnown(772)).toBe(true);
  });
});

describe("a range", () => {
  test("includes both ends, whatever their numbers", () => {
    expect([61, 78, 5, 47, 107].map((protocol) => admits("1.6.4", "1.8", protocol))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test("admits versions newer than the table only without an upper end", () => {
    for (const newer of [currentProtocol + 1, snapshot]) {
      expect(admits("1.8", null, newer)).toBe(true);
      expect(admits("1.8", newestRelease, newer)).toBe(false);
    }
    expect(admits("1.5.2", null, 60)).toBe(false);
    expect(admits("1.5.2", null, -1)).toBe(false);
  });

  test("admits a number that a version outside of it shares", () => {
    expect(admits("1.8.8", null, 47)).toBe(true);
    expect(admits("1.7.10", "1.8.3", 47)).toBe(true);
    expect(admits("1.9", null, 47)).toBe(false);
  });

  test("is undefined for names that are not in the table", () => {
    expect(versionRange("1.4.7", null)).toBeUndefined();
    expect(versionRange("1.8", "99.1")).toBeUndefined();
  });

  test("between any two versions admits each in between, and no other", () => {
    const index = fc.nat(names.length - 1);
    fc.assert(
      fc.property(index, index, index, (a, b, c) => {
        const [low, high] = a <= b ? [a, b] : [b, a];
        const range = versionRange(names[low] ?? "", names[high] ?? "");
        const protocol = knownReleases[c]?.protocol ?? 0;
        const inside = knownReleases.slice(low, high + 1).some((r) => r.protocol === protocol);
        expect(range?.has(protocol)).toBe(inside);
      }),
    );
  });
});
