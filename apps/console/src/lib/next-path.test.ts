import { describe, expect, test } from "vitest";
import { safeNextPath } from "./next-path.ts";

describe("safeNextPath", () => {
  test.each([
    "/dashboard",
    "/dashboard/setup?x=1#top",
    "/dashboard/gameshield/1/firewall",
    "/invitation",
  ])("returns the console's own page %s", (path) => expect(safeNextPath(path)).toBe(path));

  test.each([
    "//evil.example/dashboard",
    "/\\evil.example",
    "https://evil.example/dashboard",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/dashboard/../../login",
    "/login",
    "/invitation/../login",
    "/invitations",
    "dashboard",
    "",
    undefined,
    42,
  ])("refuses %s", (path) => expect(safeNextPath(path)).toBeNull());
});
