import { describe, expect, test } from "vitest";
import { dueAt, type SupportHours } from "./support-hours.policy.ts";

const berlin: SupportHours = {
  timeZone: "Europe/Berlin",
  days: [1, 2, 3, 4, 5],
  opensAt: 9 * 60,
  closesAt: 18 * 60,
};

describe("an answer is due after so many minutes of support's hours", () => {
  test.each([
    ["within a day", 240, "2026-11-25T09:00:00Z", "2026-11-25T13:00:00Z"],
    ["to the last minute of a day", 240, "2026-11-25T13:00:00Z", "2026-11-25T17:00:00Z"],
    ["over night", 240, "2026-11-25T15:00:00Z", "2026-11-26T10:00:00Z"],
    ["from a night", 60, "2026-11-25T22:30:00Z", "2026-11-26T09:00:00Z"],
    ["from the morning before opening", 60, "2026-11-25T05:00:00Z", "2026-11-25T09:00:00Z"],
    ["over a weekend", 120, "2026-11-27T16:00:00Z", "2026-11-30T09:00:00Z"],
    ["from a Saturday", 60, "2026-11-28T12:00:00Z", "2026-11-30T09:00:00Z"],
    ["three days from a Thursday", 1_620, "2026-11-26T08:00:00Z", "2026-11-30T17:00:00Z"],
    // Clocks go back on Sunday 25 October, and forward on Sunday 29 March.
    ["over the end of summer time", 120, "2026-10-23T15:00:00Z", "2026-10-26T09:00:00Z"],
    ["over the start of summer time", 120, "2026-03-27T16:00:00Z", "2026-03-30T08:00:00Z"],
    ["over the end of a year", 60, "2026-12-31T17:00:00Z", "2027-01-01T09:00:00Z"],
  ])("%s", (_, minutes, from, due) => {
    expect(dueAt({ minutes, hours: "business" }, berlin, new Date(from)).toISOString()).toBe(
      new Date(due).toISOString(),
    );
  });

  test.each([
    ["a day that is an hour longer", "2026-10-25T00:00:00Z", 600, "2026-10-25T10:00:00Z"],
    ["a day that is an hour shorter", "2026-03-28T23:30:00Z", 600, "2026-03-29T09:30:00Z"],
  ])("support at all hours has %s", (_, from, minutes, due) => {
    const hours = { ...berlin, days: [1, 2, 3, 4, 5, 6, 7], opensAt: 0, closesAt: 1_440 };
    expect(dueAt({ minutes, hours: "business" }, hours, new Date(from)).toISOString()).toBe(
      new Date(due).toISOString(),
    );
  });

  test("a clock that jumps over the opening opens after the jump", () => {
    const hours = { ...berlin, days: [7], opensAt: 150, closesAt: 300 };
    const due = dueAt({ minutes: 30, hours: "business" }, hours, new Date("2026-03-28T12:00:00Z"));
    expect(due.toISOString()).toBe("2026-03-29T02:00:00.000Z");
  });

  test("day and night count where the plan says so", () => {
    const from = new Date("2026-11-28T02:00:00Z");
    const due = dueAt({ minutes: 30, hours: "always" }, berlin, from);
    expect(due.toISOString()).toBe("2026-11-28T02:30:00.000Z");
  });
});
