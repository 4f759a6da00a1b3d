import { describe, expect, test } from "vitest";
import { knownTimes, knownTimeText } from "./known-times.ts";

describe("how long verified players stay known", () => {
  test("a time that was set through the api is offered too, in its place", () => {
    expect(knownTimes(120)).toEqual([1, 6, 12, 24, 72, 120, 168, 336, 720]);
    expect(knownTimes(100).slice(4, 7)).toEqual([72, 100, 120]);
  });

  test.each([
    [1, "1 hour", "1 час"],
    [25, "25 hours", "25 часов"],
    [24, "1 day", "1 день"],
    [120, "5 days", "5 дней"],
  ])("%i hours read %s", (hours, en, ru) => {
    expect([knownTimeText("en", hours), knownTimeText("ru", hours)]).toEqual([en, ru]);
  });
});
