import { afterEach, beforeEach, expect, test, vi } from "vitest";
import SummaryReporter from "./summary-reporter.mjs";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("a test that takes long is named until it or its file has ended", () => {
  const said = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(text) > 0);
  const [first, second, other] = ["first", "second", "other"].map((id) => ({ id, fullName: id }));
  const moduleOf = (...tests) => ({ children: { allTests: () => tests } });
  const reporter = new SummaryReporter();
  const later = () => {
    said.length = 0;
    vi.advanceTimersByTime(30_000);
    return said.map((text) => text.replace(/^.*s: /, "").trim());
  };

  reporter.onTestRunStart();
  for (const each of [first, second, other]) reporter.onTestCaseReady(each);
  expect(later()).toEqual(["first", "second", "other"]);
  reporter.onTestCaseResult(first);
  expect(later()).toEqual(["second", "other"]);
  reporter.onTestModuleEnd(moduleOf(first, second));
  expect(later()).toEqual(["other"]);
  reporter.onTestModuleEnd(moduleOf(other));
  expect(later()).toEqual([]);
});
