import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileAddressSet } from "@palisade/login-rules/address-set";
import { VpnLookup } from "#src/rules/address-lookups.ts";
import { mmdbOf } from "@palisade/testing/mmdb";
import { combine } from "./combine.ts";
import { parseList } from "./parse-list.ts";
import { readMmdb } from "./read-mmdb.ts";
import type { ParsedList } from "./parsed-list.ts";

function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(`${text} is no address`);
  return bytes;
}

function listOf(name: string, entries: readonly string[]): ParsedList {
  const { image, problem } = parseList(name, Buffer.from(entries.join("\n")));
  if (image === undefined) throw new Error(problem);
  return image;
}

function holds(entries: readonly string[], address: string): boolean {
  const result = compileAddressSet(entries);
  return result.ok && result.set.has(ip(address));
}

const near4 = fc.nat(255).map((n) => `10.0.${n >> 6}.${n}`);
const near6 = fc
  .tuple(fc.constantFrom("2001", "20ff", "3fff"), fc.constantFrom("0", "7fff", "ffff"), fc.nat(300))
  .map(([first, last, n]) => `${first}:db8::${last}:${n.toString(16)}`);
const entry = fc.oneof(
  fc.tuple(near4, fc.integer({ min: 20, max: 32 })).map((parts) => parts.join("/")),
  fc.tuple(near6, fc.integer({ min: 100, max: 128 })).map((parts) => parts.join("/")),
);
const lists = fc.array(fc.array(entry, { minLength: 1, maxLength: 8 }), { maxLength: 5 });

/** The upper one is hidden by none of the networks below it. */
const systems = ["10.0.0.0/24", "10.0.1.0/26", "10.0.1.64/26", "2001:db8::/112", "3fff:db8::/33"];

test("an address is in the first list that holds it, else in a listed AS, as one list after the other says", () => {
  const networks = systems.map((cidr, n) => [cidr, { autonomous_system_number: n + 1 }] as const);
  const { image: numbers } = readMmdb("asn", mmdbOf(networks));
  if (numbers === undefined) throw new Error("it is in order");
  const listedSystems = listOf("systems", ["AS1", "AS3", "AS4", "AS5"]);
  fc.assert(
    fc.property(lists, fc.array(fc.oneof(near4, near6), { minLength: 20 }), (entries, probes) => {
      const images = entries.map((of, n) => listOf(`list ${n}`, of));
      const lookup = new VpnLookup();
      lookup.use(combine([numbers, ...images, listedSystems]).table);
      for (const address of probes) {
        const first = entries.findIndex((of) => holds(of, address));
        const system = systems.findIndex((cidr) => holds([cidr], address)) + 1;
        const listed = [1, 3, 4, 5].includes(system);
        const expected =
          first >= 0
            ? { list: `list ${first}` }
            : listed
              ? { list: "systems", asn: `AS${system}` }
              : undefined;
        expect(lookup.find(ip(address))?.facts, address).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
});

test("repeated look-ups allocate nothing", () => {
  const lookup = new VpnLookup();
  lookup.use(combine([listOf("hosting", ["192.0.2.0/24"])]).table);
  expect(lookup.find(ip("192.0.2.1"))).toBe(lookup.find(ip("192.0.2.2")));
});

test("threads have one table in common, not one each", () => {
  const { table } = combine([listOf("hosting", ["192.0.2.0/24", "2001:db8::/32"])]);
  // As a message to another thread is made.
  const inThread = structuredClone(table);
  const lookup = new VpnLookup();
  lookup.use(inThread);
  expect(lookup.find(ip("192.0.2.1"))?.facts).toEqual({ list: "hosting" });
  table.ranges4.firsts[0] = 0xffff_ffff;
  expect(lookup.find(ip("192.0.2.1"))).toBeUndefined();
  expect(lookup.find(ip("2001:db8::1"))?.facts).toEqual({ list: "hosting" });
});

test("the edges of the address space are addresses like others", () => {
  const find = (entries: string[], address: string) => {
    const lookup = new VpnLookup();
    lookup.use(
      combine([listOf("a", entries), listOf("b", ["0.0.0.0/8", "255.0.0.0/8", "ffff::/16"])]).table,
    );
    return lookup.find(ip(address))?.facts;
  };
  expect(find(["255.255.255.255", "0.0.0.0"], "255.255.255.255")).toEqual({ list: "a" });
  expect(find(["255.255.255.255", "0.0.0.0"], "0.0.0.0")).toEqual({ list: "a" });
  expect(find(["255.255.255.255", "0.0.0.0"], "0.0.0.1")).toEqual({ list: "b" });
  expect(find(["255.255.255.255"], "255.255.255.254")).toEqual({ list: "b" });
  expect(find(["ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], "ffff::")).toEqual({ list: "b" });
});

test("a thread that has no lists refuses no player", () => {
  const lookup = new VpnLookup();
  expect(lookup.find(ip("192.0.2.1"))).toBeUndefined();
  lookup.use(combine([]).table);
  expect(lookup.find(ip("2001:db8::1"))).toBeUndefined();
});

test("a list for which there is no room beside those before it is left out, and no other", () => {
  const many = (third: number): string[] =>
    Array.from({ length: 6 }, (_, n) => `192.0.${third}.${2 * n}`);
  const images = [listOf("first", many(2)), listOf("second", many(3)), listOf("last", ["::1"])];
  const { table, leftOut } = combine(images, 10);
  expect(leftOut).toEqual(["second"]);
  const lookup = new VpnLookup();
  lookup.use(table);
  const found = ["192.0.2.4", "192.0.3.4", "::1"].map(
    (text) => lookup.find(ip(text))?.facts["list"],
  );
  expect(found).toEqual(["first", undefined, "last"]);
});
