import { endKey } from "@palisade/contract/edge/plain-values";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { beforeEach, describe, expect, test } from "vitest";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { shieldId, testShield } from "#src/testing/test-edge.ts";
import { type CompiledShield, compileShield } from "./compiled-shield.ts";
import { EndingEntries } from "./ending-entries.ts";

let nowMs: number;
let applied: ShieldConfig[];
let serving: CompiledShield | undefined;
let entries: EndingEntries;

beforeEach(() => {
  nowMs = 1_000_000;
  applied = [];
  serving = undefined;
  entries = new EndingEntries({
    nowMs: () => nowMs,
    sink: {
      apply(config) {
        applied.push(config);
        const result = compileShield(config, new ShieldCounters(shieldId), serving);
        if (result.ok) serving = result.shield;
        return result;
      },
      remove: () => {
        serving = undefined;
      },
    },
  });
});

function configOf(lists: Partial<ShieldConfig["lists"]>): ShieldConfig {
  const config = testShield();
  return { ...config, lists: { ...config.lists, blacklist_enabled: true, ...lists } };
}

/** By the blacklist that runs. */
function blocks(entry: string): boolean {
  const ip = parseIp(entry);
  const rules = serving?.rules;
  return (
    (ip === undefined ? rules?.blacklistNames?.has(entry) : rules?.blacklist?.has(ip)) === true
  );
}

function passTo(atMs: number): void {
  nowMs = atMs;
  entries.tick();
}

describe("entries with an end", () => {
  test("hold until then and not a tick longer; others hold always", () => {
    entries.apply(
      configOf({
        blacklist: ["192.0.2.1", "198.51.100.0/24", "192.0.2.3"],
        blacklist_names: ["griefer_1", "__proto__"],
        expires: {
          [endKey("blacklist", "192.0.2.1")]: nowMs + 10_000,
          [endKey("blacklist", "198.51.100.0/24")]: nowMs + 20_000,
          [endKey("blacklist", "griefer_1")]: nowMs + 20_000,
        },
      }),
    );
    const start = nowMs;
    passTo(start + 9_999);
    expect(blocks("192.0.2.1")).toBe(true);
    expect(applied).toHaveLength(1);
    passTo(start + 10_000);
    expect(["192.0.2.1", "198.51.100.7", "griefer_1"].map(blocks)).toEqual([false, true, true]);
    passTo(start + 20_000);
    const others = ["198.51.100.7", "griefer_1", "192.0.2.3", "__proto__"];
    expect(others.map(blocks)).toEqual([false, false, true, true]);
    passTo(start + 1_000_000);
    expect(applied).toHaveLength(3);
  });

  test("that have ended before never hold, as in a configuration from disk", () => {
    const expires = { [endKey("blacklist", "192.0.2.1")]: nowMs - 1 };
    entries.apply(configOf({ blacklist: ["192.0.2.1", "192.0.2.2"], expires }));
    expect([blocks("192.0.2.1"), blocks("192.0.2.2")]).toEqual([false, true]);
  });

  test("are told apart by their list", () => {
    const expires = { [endKey("whitelist", "192.0.2.1")]: nowMs };
    entries.apply(configOf({ blacklist: ["192.0.2.1"], whitelist: ["192.0.2.1"], expires }));
    expect(applied[0]?.lists).toMatchObject({ blacklist: ["192.0.2.1"], whitelist: [] });
  });

  test("that end one after the other do not compile the shield each time", () => {
    const blacklist = Array.from({ length: 100 }, (_, n) => `10.0.0.${n}`);
    const expires = Object.fromEntries(
      blacklist.map((entry, n) => [endKey("blacklist", entry), nowMs + 1_000 * (n + 1)]),
    );
    entries.apply(configOf({ blacklist, expires }));
    for (let second = 0; second < 105; second += 1) passTo(nowMs + 1_000);
    expect(applied.length).toBeLessThanOrEqual(22);
    expect(blacklist.some(blocks)).toBe(false);
  });

  test("go by the newest configuration", () => {
    const endMs = nowMs + 10_000;
    const blacklist = ["192.0.2.1"];
    entries.apply(configOf({ blacklist, expires: { [endKey("blacklist", "192.0.2.1")]: endMs } }));
    entries.apply(configOf({ blacklist }));
    passTo(endMs);
    expect(blocks("192.0.2.1")).toBe(true);
    entries.apply(
      configOf({ blacklist, expires: { [endKey("blacklist", "192.0.2.1")]: endMs + 9 } }),
    );
    entries.remove(shieldId);
    passTo(endMs + 9);
    expect(serving).toBeUndefined();
  });

  test("those of a configuration that is refused leave the one before alone", () => {
    const endMs = nowMs + 10_000;
    const expires = { [endKey("blacklist", "192.0.2.1")]: endMs };
    entries.apply(configOf({ blacklist: ["192.0.2.1", "192.0.2.2"], expires }));
    expect(entries.apply(configOf({ blacklist: ["nonsense"] })).ok).toBe(false);
    passTo(endMs);
    expect([blocks("192.0.2.1"), blocks("192.0.2.2")]).toEqual([false, true]);
  });
});
