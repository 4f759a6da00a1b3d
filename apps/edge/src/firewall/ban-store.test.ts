import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { sampleShield } from "@palisade/testing/sample-shield";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { type Ban, abuseLimits } from "#src/rules/abuse-detector.ts";
import { AbuseCounters, sourceCount } from "#src/rules/source-counts.ts";
import { BanFile } from "./ban-file.ts";
import { BanStore } from "./ban-store.ts";
import { BanTable } from "./ban-table.ts";
import { Exemptions } from "./exemptions.ts";

function setUp(always: readonly string[] = [], kept = new Map<string, number>()) {
  const clock = { nowMs: 1_800_000_000_000 };
  const bans = new BanTable(BanTable.allocate());
  const exemptions = new Exemptions(always);
  const counted = new AbuseCounters();
  const store = new BanStore({
    bans,
    exemptions,
    drain: () => counted.drain(),
    ports: () => [],
    file: {
      load: () => Promise.resolve([...kept]),
      save: (bans) => {
        kept.clear();
        for (const [network, endsAtMs] of bans) kept.set(network, endsAtMs);
        return true;
      },
    },
    nowMs: () => clock.nowMs,
    log: pino({ level: "silent" }),
  });
  return {
    clock,
    store,
    exemptions,
    isBanned: (key: string) => bans.has(key, clock.nowMs),
    tick: (...keys: string[]) => {
      for (const key of keys) {
        for (let n = 0; n < abuseLimits.hostileMax; n++) counted.note(key, sourceCount.hostile);
      }
      store.tick();
    },
    trust: (whitelist: string[], isOn = true) =>
      exemptions.apply(
        sampleShield({ lists: { ...sampleShield().lists, whitelist, whitelist_enabled: isOn } }),
      ),
  };
}

describe("ban store", () => {
  test("bans abuse for its time, also without the kernel", () => {
    const { clock, store, isBanned, tick } = setUp();
    tick("203.0.113.7", "20010db800010002");
    expect(isBanned("203.0.113.7")).toBe(true);
    expect(isBanned("20010db800010002")).toBe(true);
    expect(isBanned("203.0.113.8")).toBe(false);
    clock.nowMs += (abuseLimits.banSeconds + 1) * 1_000;
    tick();
    expect(isBanned("203.0.113.7")).toBe(false);
    expect(store.size).toBe(0);
  });

  test("a ban goes on after a restart for the time that is left, unless an owner trusts the address by now", async () => {
    const kept = new Map<string, number>();
    const before = setUp([], kept);
    before.tick("203.0.113.7", "203.0.113.8", "20010db800010002");
    before.tick();
    expect(kept.size).toBe(3);
    const after = setUp([], kept);
    after.trust(["203.0.113.8"]);
    after.clock.nowMs += 30_000;
    await after.store.restore();
    expect(after.isBanned("203.0.113.7")).toBe(true);
    expect(after.isBanned("20010db800010002")).toBe(true);
    expect(after.isBanned("203.0.113.8")).toBe(false);
    after.clock.nowMs += 32_000;
    after.tick();
    expect(after.isBanned("203.0.113.7")).toBe(false);
  });

  test("a source that abuses the edge again after a restart is banned for at least the time that was left, then for longer", async () => {
    const kept = new Map([["203.0.113.7/32", 1_800_000_000_000 + 400_000]]);
    const { clock, store, isBanned, tick } = setUp([], kept);
    await store.restore();
    tick("203.0.113.7");
    clock.nowMs += 399_000;
    tick();
    expect(isBanned("203.0.113.7")).toBe(true);
    clock.nowMs += 3_000;
    tick();
    expect(isBanned("203.0.113.7")).toBe(false);
    tick("203.0.113.7");
    clock.nowMs += abuseLimits.banSecondsMax * 1_000;
    expect(isBanned("203.0.113.7")).toBe(true);
  });

  test("lines of the file that are no bans are left out", async () => {
    const folder = await createTemporaryFolder("bans");
    const log = pino({ level: "silent" });
    const file = new BanFile(folder.path, log);
    expect(await file.load()).toEqual([]);
    file.save([["203.0.113.7/32", 1_800_000_000_000]]);
    await file.settled();
    const path = join(folder.path, "edge", "bans");
    await appendFile(
      path,
      "203.0.113.9/32 soon\n\0\n2001:db8:1:2::/64 1800000000001\n0.0.0.0/0 1\n",
    );
    expect(await file.load()).toEqual([
      ["203.0.113.7/32", 1_800_000_000_000],
      ["2001:db8:1:2::/64", 1_800_000_000_001],
    ]);
    await folder.remove();
  });

  test("whitelisted addresses of any shield, loopback and trusted proxies are never banned", () => {
    const { isBanned, tick, trust } = setUp(["192.0.2.0/24"]);
    trust(["203.0.113.7", "198.51.100.0/24", "2001:db8:1:2:3::4"]);
    const trusted = ["203.0.113.7", "198.51.100.9", "20010db800010002", "127.0.0.1", "192.0.2.1"];
    tick(...trusted, "203.0.113.8");
    for (const key of trusted) expect(isBanned(key), key).toBe(false);
    expect(isBanned("203.0.113.8")).toBe(true);
  });

  test("a network is not banned as a whole if one of its addresses is whitelisted", () => {
    const { isBanned, tick, trust } = setUp();
    trust(["203.0.113.200"]);
    tick(...Array.from({ length: 20 }, (_, n) => `203.0.113.${n}`));
    expect(isBanned("203.0.113.9")).toBe(true);
    expect(isBanned("203.0.113.99")).toBe(false);
  });

  test("an address that is whitelisted while banned is pardoned; a list that is off or trusts the world counts for nothing", () => {
    const { isBanned, store, tick, trust, exemptions } = setUp();
    trust(["0.0.0.0/0", "::/0"]);
    tick("203.0.113.7", "203.0.113.8");
    expect(isBanned("203.0.113.7")).toBe(true);
    trust(["203.0.113.7"], false);
    tick();
    expect(isBanned("203.0.113.7")).toBe(true);
    trust(["203.0.113.7"]);
    tick();
    expect(isBanned("203.0.113.7")).toBe(false);
    expect(isBanned("203.0.113.8")).toBe(true);
    expect(store.size).toBe(1);
    exemptions.remove(sampleShield().shield_id);
    expect(exemptions.covers("203.0.113.7/32")).toBe(false);
  });

  test("a kernel that lacks bans receives all that are in force, for the time that is left", async () => {
    const { clock, store, tick } = setUp();
    const told: (readonly Ban[])[] = [];
    const done = Promise.resolve();
    const kernel = {
      isBehind: false,
      lastFailure: undefined,
      ban: () => done,
      replaceBans: (bans: readonly Ban[]) => {
        told.push(bans);
        kernel.isBehind = false;
        return done;
      },
      setPorts: () => done,
      readDrops: () => done,
    };
    store.kernel = kernel;
    tick("203.0.113.7");
    tick("20010db800010002");
    kernel.isBehind = true;
    clock.nowMs += 10_000;
    for (let second = 0; second < 10; second++) tick();
    await until(() => !kernel.isBehind);
    expect(told).toEqual([
      [
        { network: "203.0.113.7/32", seconds: abuseLimits.banSeconds - 10 },
        { network: "2001:db8:1:2::/64", seconds: abuseLimits.banSeconds - 10 },
      ],
    ]);
  });
});
