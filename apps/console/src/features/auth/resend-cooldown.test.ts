import { describe, expect, test } from "vitest";
import { secondsLeft } from "./resend-cooldown.ts";

describe("resend cooldown", () => {
  test("counts whole seconds down to zero", () => {
    expect(secondsLeft("120000", 0)).toBe(120);
    expect(secondsLeft("120000", 500)).toBe(120);
    expect(secondsLeft("120000", 119_001)).toBe(1);
    expect(secondsLeft("120000", 120_000)).toBe(0);
  });

  test("never lasts longer than one cooldown, even with a wrong clock or a corrupt store", () => {
    expect(secondsLeft("9999999999999", 0)).toBe(120);
    expect(secondsLeft("nonsense", 0)).toBe(0);
    expect(secondsLeft(null, 0)).toBe(0);
  });
});
