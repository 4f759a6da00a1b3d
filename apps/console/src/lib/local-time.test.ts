import { expect, test } from "vitest";
import { localTime, momentOf } from "./local-time.ts";

test("a time returns as it was, to the minute, in every zone", () => {
  const at = new Date("2026-11-01T12:34:00.000Z");
  expect(momentOf(localTime(at))).toBe(at.toISOString());
  const summer = new Date("2026-07-01T23:59:00.000Z");
  expect(momentOf(localTime(summer))).toBe(summer.toISOString());
});

test("an empty field names no moment, so the schema refuses it", () =>
  expect(momentOf("")).toBe(""));
