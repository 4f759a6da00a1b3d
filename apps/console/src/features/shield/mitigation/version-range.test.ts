import { expect, test } from "vitest";
import {
  fallbackVersions as versions,
  isUnsupported,
  lowerEnds,
  orderedRange,
  rangeFrom,
  upperEnds,
  versionsWith,
} from "./version-range.ts";

test("a range stored in reverse is shown in order", () => {
  expect(orderedRange(versions, { min: "1.20.4", max: "1.8" })).toEqual({
    min: "1.8",
    max: "1.20.4",
  });
});

test("'From' moves an earlier 'To' and keeps a later one", () => {
  const range = { min: "1.8", max: "1.12.2" };
  expect(rangeFrom(versions, range, "1.16.5")).toEqual({ min: "1.16.5", max: "1.16.5" });
  expect(rangeFrom(versions, range, "1.9.4")).toEqual({ min: "1.9.4", max: "1.12.2" });
});

test("'To' offers versions at or after 'From' only", () => {
  const offered = upperEnds(versions, { min: "1.20.6", max: "1.21" });
  expect(offered).toEqual(["1.20.6", "1.21", "1.21.1", "1.21.8"]);
});

test("versions below 1.8 are offered once they are allowed", () => {
  expect(lowerEnds(versions, false)[0]).toBe("1.8");
  expect(lowerEnds(versions, true)[0]).toBe("1.5.2");
  expect(["1.7.10", "1.8", "1.21"].map((each) => isUnsupported(versions, each))).toEqual([
    true,
    false,
    false,
  ]);
});

test("a stored version that a short list lacks is added in its place", () => {
  const list = versionsWith(["1.8", "1.12.2", "1.21"], { min: "1.7.10", max: "1.20.1" });
  expect(list).toEqual(["1.7.10", "1.8", "1.12.2", "1.20.1", "1.21"]);
  expect(versionsWith(["1.8"], { min: "1.8", max: "26.1" })).toEqual(["1.8", "26.1"]);
});
