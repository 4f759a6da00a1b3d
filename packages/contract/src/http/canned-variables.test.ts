import { expect, test } from "vitest";
import { fillCannedReply } from "./canned-variables.ts";

test("a canned reply is filled once, and keeps what has no value", () => {
  const text = "Hello {customer}, about #{ticket} and {server}: {nonsense} {staff}";
  expect(fillCannedReply(text, { customer: "{staff}", ticket: "1001", staff: "Kim" })).toBe(
    "Hello {staff}, about #1001 and {server}: {nonsense} Kim",
  );
});
