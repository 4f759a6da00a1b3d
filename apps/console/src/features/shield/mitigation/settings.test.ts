import { mitigationFallback as stored } from "@palisade/contract/http/mitigation";
import { expect, test } from "vitest";
import { limitOf, settingsOf, tabOf, settingsSchema } from "./settings.ts";
import { fallbackVersions as versions } from "./version-range.ts";

const read = settingsOf(stored, versions);

test("the form holds the settings and none of the plan's fields", () => {
  const withPlan = { ...stored, antibot_level_max: "medium", anti_vpn_available: false } as const;
  expect(settingsOf(withPlan, versions)).toEqual(stored);
});

test("a range stored in reverse does not count as a change", () => {
  const turned = settingsOf(
    { ...stored, minecraft_versions: { min: "1.20.4", max: "1.8" } },
    versions,
  );
  expect(turned.minecraft_versions).toEqual({ min: "1.8", max: "1.20.4" });
});

test("a limit is a number, or is refused with the text of its range", () => {
  expect([limitOf("20"), limitOf(""), limitOf("1.5"), limitOf("-1")]).toEqual([
    20,
    "",
    "1.5",
    "-1",
  ]);
  for (const typed of ["", "1.5", 1_001]) {
    const issues = settingsSchema.safeParse({ ...read, max_connections: typed }).error?.issues;
    expect(issues).toMatchObject([{ path: ["max_connections"], message: "max_connections.range" }]);
  }
});

test("a limit of 0 is refused only while it is on", () => {
  const zero = { ...read, rejoin_cooldown: 0 };
  expect(settingsSchema.safeParse(zero).success).toBe(true);
  const issues = settingsSchema.safeParse({ ...zero, rejoin_cooldown_enabled: true }).error?.issues;
  expect(issues).toMatchObject([{ path: ["rejoin_cooldown"], message: "limit.zero" }]);
});

test("every setting is on one tab, except shadow mode above them", () => {
  expect(tabOf("max_packet_size")).toBe("general");
  expect(tabOf("minecraft_versions.min")).toBe("general");
  expect(tabOf("mitigation_duration_enabled")).toBe("antibot");
  expect(tabOf("anti_vpn")).toBe("miscellaneous");
  expect(tabOf("shadow_mode")).toBeNull();
});
