import { mitigationDefaults, mitigationFallback } from "@palisade/contract/http/mitigation";
import { expect, test } from "vitest";
import { hintsOf } from "./hints.ts";

test.each([
  [{ antibot_level: "medium" }, ["level_waits_for_attack"]],
  [{ antibot_level: "high" }, []],
  [
    { mitigation_threshold_enabled: true, mitigation_duration_enabled: true },
    ["threshold_only_shows"],
  ],
  [{ mitigation_duration_enabled: true }, ["duration_without_threshold"]],
  [{ antibot_level: "high", mitigation_threshold_enabled: true }, ["threshold_without_duration"]],
  [{ advanced_antibot: true, antibot_level: "low" }, ["advanced_without_verification"]],
  [{ advanced_antibot: true, antibot_level: "medium" }, []],
  [
    {
      advanced_antibot: true,
      mitigation_threshold_enabled: true,
      mitigation_duration_enabled: true,
    },
    ["advanced_without_verification"],
  ],
  [{ shadow_mode: true, antibot_level: "low" }, []],
  [{ shadow_mode: true, antibot_level: "high" }, ["shadow_without_verification"]],
  [{ shadow_mode: true, secure_profiles: true }, ["shadow_without_verification"]],
] as const)("with %o the owner is told: %o", (settings, told) => {
  expect([...hintsOf({ ...mitigationFallback, ...settings })]).toEqual(told);
});

test("a new shield's settings have no hints", () => {
  expect(hintsOf({ ...mitigationFallback, ...mitigationDefaults }).size).toBe(0);
});
