import { type AddressSet, compileAddressSet } from "@palisade/login-rules/address-set";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { median } from "#src/statistics/statistics.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark } from "./benchmark.ts";

/** The maximum of one list. */
const entriesCount = 10_000;
const probesCount = 8_192;
const lookups = 2_000_000;

/** Looking up an address in a list of maximum length. */
export const lists: Benchmark = {
  name: "lists",
  async run({ rounds, say }) {
    say(`lists: ${entriesCount} CIDRs`);
    return [family4, family6].flatMap(({ name, entry, address, compileMsMax }): Row[] => {
      const entries = Array.from({ length: entriesCount }, (_, n) => entry(n));
      const { set, ms } = compile(entries, rounds);
      const probes = Array.from({ length: probesCount }, (_, n) => address(n));
      const expected = probes.filter((ip) => set.has(ip)).length;
      if (expected === 0 || expected === probesCount)
        throw new Error("the probes must be partly listed");
      lookUp(set, probes);
      const ns = Array.from({ length: rounds }, () => lookUp(set, probes));
      const many = `${entriesCount.toLocaleString("en")} ${name} CIDRs`;
      const found: Row = {
        benchmark: "lists",
        measure: `lookup among ${many}`,
        unit: "ns",
        value: median(ns),
        aim: { of: "value", is: "under", limit: 1_000 },
        note: `${Math.round((100 * expected) / probesCount)} % are listed`,
      };
      const compiled: Row = {
        benchmark: "lists",
        measure: `compiling ${many}`,
        unit: "ms",
        value: median(ms),
        aim: { of: "value", is: "under", limit: compileMsMax },
        note: `the first time ${(ms[0] ?? 0).toFixed(0)} ms; players wait during this time`,
      };
      return [found, compiled];
    });
  },
};

/** Spreads numbers over the address family by a multiplication that hits every number once. */
function spread(n: number): number {
  return Math.imul(n + 1, 0x9e3779b1) >>> 0;
}

function octets(word: number): string {
  return [24, 16, 8, 0].map((bits) => (word >>> bits) & 255).join(".");
}

function groups(word: number): string {
  return `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`;
}

/** Every second probe is an address of an entry. */
const family4 = {
  name: "IPv4",
  compileMsMax: 10,
  entry: (n: number): string => `${octets(spread(n))}/${20 + (n % 13)}`,
  address: (n: number): Uint8Array => bytesOf(octets(spread(n % 2 === 0 ? n : n + 1e6))),
};

const family6 = {
  name: "IPv6",
  compileMsMax: 30,
  entry: (n: number): string => `2001:db8:${groups(spread(n))}::/${40 + (n % 89)}`,
  address: (n: number): Uint8Array =>
    bytesOf(`2001:db8:${groups(spread(n % 2 === 0 ? n : n + 1e6))}::`),
};

function bytesOf(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(`${text} is no address`);
  return bytes;
}

/** Compiles the list once per round. @returns the set and the milliseconds of each time */
function compile(
  entries: readonly string[],
  rounds: number,
): { readonly set: AddressSet; readonly ms: readonly number[] } {
  const ms: number[] = [];
  for (;;) {
    const startedAt = performance.now();
    const result = compileAddressSet(entries);
    ms.push(performance.now() - startedAt);
    if (!result.ok) throw new Error("the list was refused");
    if (ms.length >= rounds) return { set: result.set, ms };
  }
}

/** @returns nanoseconds of one lookup */
function lookUp(set: AddressSet, probes: readonly Uint8Array[]): number {
  let listed = 0;
  const startedAt = performance.now();
  for (let round = 0; round < lookups / probes.length; round++) {
    for (const ip of probes) if (set.has(ip)) listed++;
  }
  const ms = performance.now() - startedAt;
  if (listed === 0) throw new Error("nothing was listed");
  return (ms * 1e6) / (Math.ceil(lookups / probes.length) * probes.length);
}
