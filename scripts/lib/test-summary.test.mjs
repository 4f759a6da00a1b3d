import { describe, expect, test } from "vitest";
import { summarize } from "./test-summary.mjs";

const file = (tests, more = {}) => ({
  name: "a.test.ts",
  errors: 0,
  suitesWithErrors: [],
  tests,
  ...more,
});

describe("the closing line of a test run", () => {
  test("counts what passed, failed and was skipped for a reason", () => {
    const summary = summarize(
      [
        file([
          { name: "passes", state: "passed" },
          { name: "fails", state: "failed" },
          { name: "is for root (needs root)", state: "skipped" },
          { name: "is skipped", state: "skipped", note: "no network" },
        ]),
      ],
      0,
    );
    expect(summary).toEqual({
      passed: 1,
      failed: 1,
      skipped: 2,
      notes: [
        "skipped: a.test.ts > is for root (needs root): needs root",
        "skipped: a.test.ts > is skipped: no network",
      ],
    });
  });

  test.each([
    ["a skip without a reason", [file([{ name: "hides", state: "skipped" }])], 0],
    ["a test that never ended", [file([{ name: "hangs", state: "pending" }])], 0],
    ["a file that does not load", [file([], { errors: 1 })], 0],
    ["a failing hook", [file([], { suitesWithErrors: ["suite"] })], 0],
    ["an error outside of tests", [file([{ name: "passes", state: "passed" }])], 1],
    ["a run without tests", [], 0],
  ])("counts %s as failed", (_, modules, errors) => {
    expect(summarize(modules, errors).failed).toBe(1);
  });
});
