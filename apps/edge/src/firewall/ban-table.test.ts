import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sourceKey } from "#src/admission/admission.ts";
import { runThreads } from "@palisade/testing/threads";
import { BanTable } from "./ban-table.ts";

const nowMs = 1_800_000_000_000;

describe("ban table", () => {
  test("bans exactly the networks it was given, over threads", () => {
    const buffer = BanTable.allocate();
    const writer = new BanTable(buffer);
    const reader = new BanTable(buffer);
    const banned = (address: string): boolean => reader.has(sourceKey(address), nowMs);
    expect(banned("203.0.113.7")).toBe(false);
    for (const network of ["203.0.113.7/32", "198.51.100.0/24", "2001:db8:1:2::/64"]) {
      expect(writer.add(network, 60, nowMs)).toBe(true);
    }
    writer.add("2001:db8:9::/48", 60, nowMs);
    for (const inside of [
      "203.0.113.7",
      "::ffff:203.0.113.7",
      "198.51.100.255",
      "2001:db8:1:2:3::4",
      "2001:db8:9:ffff::1",
    ]) {
      expect(banned(inside), inside).toBe(true);
    }
    for (const outside of [
      "203.0.113.8",
      "198.51.101.1",
      "2001:db8:1:3::4",
      "2001:db8:8::1",
      "::1",
    ]) {
      expect(banned(outside), outside).toBe(false);
    }
    writer.remove("203.0.113.7/32");
    expect(banned("203.0.113.7")).toBe(false);
    expect(writer.add("no address/32", 60, nowMs)).toBe(false);
    expect(writer.add("203.0.113.0/25", 60, nowMs)).toBe(false);
  });

  test("a ban ends by itself, also where the clock is set back by hours", () => {
    const table = new BanTable(BanTable.allocate());
    table.add("203.0.113.7/32", 60, nowMs);
    expect(table.has("203.0.113.7", nowMs + 59_000)).toBe(true);
    expect(table.has("203.0.113.7", nowMs + 60_000)).toBe(false);
    expect(table.has("203.0.113.7", nowMs - 4 * 3_600_000)).toBe(false);
  });

  test("as many bans as the edge remembers are all in force", () => {
    const table = new BanTable(BanTable.allocate());
    const text = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    for (let n = 0; n < 65_536; n++) table.add(`${text(n)}/32`, 60, nowMs);
    let held = 0;
    for (let n = 0; n < 65_536; n++) if (table.has(text(n), nowMs)) held++;
    expect(held).toBe(65_536);
  });

  test("a table whose slots were all used before still holds as many", () => {
    const table = new BanTable(BanTable.allocate(1_024));
    const text = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    for (let hour = 0; hour < 12; hour++) {
      const atMs = nowMs + hour * 3_600_000;
      for (let n = 0; n < 512; n++) table.add(`${text(1_000 * hour + n)}/32`, 60, atMs);
      for (let n = 0; n < 512; n++) {
        expect(table.has(text(1_000 * hour + n), atMs)).toBe(true);
        expect(table.has(text(1_000 * hour - 1_000 + n), atMs)).toBe(false);
      }
    }
  });

  test("an address, the network around it and an IPv6 line of the same words are told apart", () => {
    const table = new BanTable(BanTable.allocate(64));
    table.add("10.0.0.0/24", 60, nowMs);
    expect(table.has("10.0.0.0", nowMs)).toBe(true);
    expect(table.has("10.0.1.0", nowMs)).toBe(false);
    table.remove("10.0.0.0/24");
    expect(table.has("10.0.0.0", nowMs)).toBe(false);
    table.add("10.0.0.0/32", 60, nowMs);
    expect(table.has("10.0.0.1", nowMs)).toBe(false);
    expect(table.has("000000000a000000", nowMs)).toBe(false);
    table.add("::/48", 60, nowMs);
    expect(table.has("0.0.0.0", nowMs)).toBe(false);
    expect(table.has("0000000000000001", nowMs)).toBe(true);
  });

  test("a ban that is added again lasts as long as the longer of both", () => {
    const table = new BanTable(BanTable.allocate(64));
    table.add("203.0.113.7/32", 600, nowMs);
    table.add("203.0.113.7/32", 60, nowMs);
    expect(table.has("203.0.113.7", nowMs + 599_000)).toBe(true);
    table.add("203.0.113.7/32", 900, nowMs);
    expect(table.has("203.0.113.7", nowMs + 899_000)).toBe(true);
  });

  test("a full table replaces the bans that end first, and bans no other address", () => {
    const table = new BanTable(BanTable.allocate(64));
    const text = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    for (let n = 0; n < 1_000; n++) {
      table.add(`${text(n)}/32`, 60 + n, nowMs);
      expect(table.has(text(n), nowMs)).toBe(true);
    }
    for (let n = 1_000; n < 2_000; n++) expect(table.has(text(n), nowMs)).toBe(false);
  });

  test("agrees with a plain set on any bans of either family", () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.nat(300).map((n) => `10.0.${n & 1}.${n >> 1}`),
    );
    fc.assert(
      fc.property(fc.array(address, { maxLength: 40 }), fc.array(address), (bans, probes) => {
        const table = new BanTable(BanTable.allocate());
        const keys = new Set(bans.map(sourceKey));
        for (const ban of bans) table.add(networkOf(sourceKey(ban)), 60, nowMs);
        for (const probe of [...bans, ...probes]) {
          const key = sourceKey(probe);
          expect(table.has(key, nowMs), probe).toBe(keys.has(key));
        }
      }),
    );
  });

  test("readers of other threads never take one ban for another while they come and go", async () => {
    const { told, workers } = await runThreads<number>(
      3,
      `
        const { BanTable } = await load("apps/edge/src/firewall/ban-table.ts");
        const table = new BanTable(data.bans);
        const address = (n) => "10.0." + (n >> 8) + "." + (n & 255);
        const left = new Int32Array(data.left);
        if (thread === 0) for (let n = 0; n < 100; n++) table.add(address(n) + "/32", 600, data.nowMs);
        gate();
        let wrong = 0;
        if (thread === 0) {
          // The table is so small that slots are overwritten all the time.
          for (let n = 0; n < 20_000; n++) {
            table.add(address(1_000 + (n % 300)) + "/32", 1, data.nowMs);
            table.remove(address(1_000 + ((n + 150) % 300)) + "/32");
          }
          Atomics.store(left, 0, 1);
        } else {
          while (Atomics.load(left, 0) === 0) {
            for (let n = 0; n < 100; n++) {
              if (!table.has(address(n), data.nowMs)) wrong++;
              if (table.has(address(5_000 + n), data.nowMs)) wrong++;
            }
          }
        }
        tell(wrong);
      `,
      { bans: BanTable.allocate(512), left: new SharedArrayBuffer(4), nowMs },
    );
    expect(told).toEqual([0, 0, 0]);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });
});

function networkOf(key: string): string {
  if (key.includes(".")) return `${key}/32`;
  return `${key.match(/.{4}/g)?.join(":") ?? ""}::/64`;
}
