import { expect, test } from "vitest";
import { actingOf } from "./acting.ts";

const settings = { antibot_level: "high", secure_profiles: false, shadow_mode: false } as const;

test.each([
  ["disabled", ["never", "never", "never"]],
  ["low", ["never", "never", "never"]],
  ["medium", ["attack", "never", "never"]],
  ["high", ["always", "always", "never"]],
  ["extreme", ["always", "always", "always"]],
] as const)("at %s, the checks act: %j", (antibot_level, acting) => {
  const grades = ["protocol", "gravity", "captcha"] as const;
  expect(grades.map((grade) => actingOf(grade, { ...settings, antibot_level }))).toEqual(acting);
});

test("the account is asked for by secure profiles alone, and nothing in shadow mode", () => {
  expect(actingOf("premium", settings)).toBe("never");
  expect(actingOf("premium", { ...settings, secure_profiles: true })).toBe("always");
  expect(actingOf("gravity", { ...settings, shadow_mode: true })).toBe("never");
});
