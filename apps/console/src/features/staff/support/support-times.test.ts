import { expect, test } from "vitest";
import { daysText, targetTime, weekdays } from "./support-times.ts";

test("weekdays begin with Monday", () => {
  expect(weekdays("en", "long")).toEqual(
    expect.arrayContaining(["Monday", "Tuesday", "Saturday", "Sunday"]),
  );
  expect(weekdays("en", "long")[0]).toBe("Monday");
});

test.each([
  [[1, 2, 3, 4, 5], "Mon–Fri"],
  [[7, 6], "Sat, Sun"],
  [[1, 2, 3, 5, 7], "Mon–Wed, Fri, Sun"],
  [[4], "Thu"],
])("the days %j are written as %s", (days, text) => {
  expect(daysText("en", days)).toBe(text);
});

test.each([
  [{ minutes: 1_620, hours: "business" }, "27 hr"],
  [{ minutes: 90, hours: "business" }, "1 hr 30 min"],
  [{ minutes: 30, hours: "business" }, "30 min"],
  [{ minutes: 1_620, hours: "always" }, "1 day 3 hr"],
] as const)("working hours are never counted as days: %j is %s", (target, text) => {
  expect(targetTime("en", target)).toBe(text);
});
