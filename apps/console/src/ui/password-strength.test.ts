import { describe, expect, test } from "vitest";
import { strengthOf } from "./password-strength.ts";

describe("strengthOf", () => {
  test.each([
    ["123456789", "weak"],
    ["aaaaaaaaaaaaaaaaaaaaaaaa", "weak"],
    ["abcdefghijklmnop", "weak"],
    ["sunflower", "weak"],
    ["purple dragon", "fair"],
    ["Tr0ub4dor&3", "fair"],
    ["correct horse battery", "strong"],
    ["верная лошадь батарея", "strong"],
  ] as const)("%s is %s", (password, strength) => {
    expect(strengthOf(password)).toBe(strength);
  });
});
