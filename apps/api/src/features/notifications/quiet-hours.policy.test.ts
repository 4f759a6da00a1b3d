import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isQuiet, mailDueAt, type MailTimes } from "./quiet-hours.policy.ts";

const night = { from: 23 * 60, until: 7 * 60 };
const berlin = (changes: Partial<MailTimes> = {}): MailTimes => ({
  digest: "off",
  quietHours: null,
  timeZone: "Europe/Berlin",
  ...changes,
});
const due = (times: MailTimes, at: string) => mailDueAt(times, new Date(at)).toISOString();

describe("a mail", () => {
  test("is due at once without quiet hours and digest", () => {
    expect(due(berlin(), "2026-11-01T12:00:30.000Z")).toBe("2026-11-01T12:00:30.000Z");
  });

  test("waits for the end of quiet hours in the owner's time zone, over midnight too", () => {
    const times = berlin({ quietHours: night });
    expect(due(times, "2026-11-01T22:30:00.000Z")).toBe("2026-11-02T06:00:00.000Z");
    expect(due(times, "2026-11-02T02:00:00.000Z")).toBe("2026-11-02T06:00:00.000Z");
    expect(due(times, "2026-11-02T06:00:00.000Z")).toBe("2026-11-02T06:00:00.000Z");
    expect(due(times, "2026-11-02T21:59:00.000Z")).toBe("2026-11-02T21:59:00.000Z");
  });

  test("comes at seven by the clock also in the nights in which the clocks change", () => {
    const times = berlin({ quietHours: night });
    expect(due(times, "2026-10-24T23:00:00.000Z")).toBe("2026-10-25T06:00:00.000Z");
    expect(due(times, "2027-03-27T23:00:00.000Z")).toBe("2027-03-28T05:00:00.000Z");
  });

  test("with a digest comes at the next hour, or the next day at nine", () => {
    expect(due(berlin({ digest: "hourly" }), "2026-11-01T12:20:10.000Z")).toBe(
      "2026-11-01T13:00:00.000Z",
    );
    expect(due(berlin({ digest: "daily" }), "2026-11-01T12:20:10.000Z")).toBe(
      "2026-11-02T08:00:00.000Z",
    );
    expect(
      due(
        { ...berlin({ digest: "hourly" }), timeZone: "Asia/Kolkata" },
        "2026-11-01T12:20:00.000Z",
      ),
    ).toBe("2026-11-01T12:30:00.000Z");
  });

  test("is never due in quiet hours, and never in the past", () => {
    const minute = fc.integer({ min: 0, max: 1_439 });
    fc.assert(
      fc.property(
        minute,
        minute,
        fc.constantFrom("off", "hourly", "daily"),
        fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Auckland"),
        fc.date({ min: new Date("2026-01-01"), max: new Date("2027-01-01"), noInvalidDate: true }),
        (from, until, digest, timeZone, now) => {
          fc.pre(from !== until);
          const quietHours = { from, until };
          const at = mailDueAt({ digest, quietHours, timeZone }, now);
          expect(at.getTime()).toBeGreaterThanOrEqual(now.getTime());
          expect(at.getTime() - now.getTime()).toBeLessThan(50 * 3_600_000);
          expect(isQuiet(quietHours, timeZone, at)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});
