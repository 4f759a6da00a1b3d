import { expect, test } from "vitest";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { shieldId, testShield } from "#src/testing/test-edge.ts";
import { type CompiledShield, compileShield } from "./compiled-shield.ts";

function compiled(
  change: Parameters<typeof testShield>[0],
  before?: CompiledShield,
): CompiledShield {
  const result = compileShield(testShield(change), new ShieldCounters(shieldId), before);
  if (!result.ok) throw new Error(result.reason);
  return result.shield;
}

test("lists are compiled once, however often the rest changes, on or off", () => {
  const whitelist = ["203.0.113.7"];
  const blacklist = ["198.51.100.0/24", "2001:db8::/32"];
  const lists = { ...testShield().lists, whitelist, blacklist, blacklist_names: ["steve"] };
  const first = compiled({ lists });
  const off = compiled({ revision: 2, lists: { ...lists, blacklist_enabled: false } }, first);
  const again = compiled({ revision: 3, lists: { ...lists, whitelist_only: true } }, off);
  expect(off.rules.blacklist).toBeUndefined();
  expect(again.rules.blacklist).toBe(first.rules.blacklist);
  expect(again.rules.exclusive).toBe(first.lists.whitelist.set);
  expect(off.rules.blacklistNames).toBeUndefined();
  expect(again.rules.blacklistNames).toBe(first.rules.blacklistNames);
  const named = compiled({ revision: 4, lists: { ...lists, blacklist_names: ["alex"] } }, again);
  expect(named.rules.blacklist).toBe(first.rules.blacklist);
  expect(named.rules.blacklistNames).toEqual(new Set(["alex"]));
  const other = compiled({ revision: 4, lists: { ...lists, blacklist: whitelist } }, again);
  expect(other.rules.blacklist).not.toBe(first.rules.blacklist);
});
