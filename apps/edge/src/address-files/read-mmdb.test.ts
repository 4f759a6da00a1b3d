import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VpnLookup } from "#src/rules/address-lookups.ts";
import { mmdbOf } from "@palisade/testing/mmdb";
import { combine } from "./combine.ts";
import { parseList } from "./parse-list.ts";
import { readMmdb } from "./read-mmdb.ts";
import type { ParsedList } from "./parsed-list.ts";

function asn(number: number) {
  return { autonomous_system_number: number, autonomous_system_organization: `AS ${number} Inc.` };
}

function imageOf(bytes: Buffer, name = "asn"): ParsedList {
  const { image, problem } = readMmdb(name, bytes);
  if (image === undefined) throw new Error(problem);
  return image;
}

function lookupOf(images: readonly ParsedList[]): (address: string) => object | undefined {
  const lookup = new VpnLookup();
  lookup.use(combine(images).table);
  return (address) => lookup.find(parseIp(address) ?? new Uint8Array(4))?.facts;
}

/** A list by the name `hosting` with the AS numbers that are refused. */
function listed(...asns: number[]): ParsedList {
  const { image } = parseList("hosting", Buffer.from(asns.map((n) => `AS${n}\n`).join("")));
  if (image === undefined) throw new Error("it is a list");
  return image;
}

const networks = [
  ["192.0.2.0/24", asn(64_496)],
  ["198.51.100.0/25", asn(64_497)],
  ["203.0.113.7/32", asn(64_496)],
  ["2001:db8::/33", asn(64_496)],
  ["2001:db8:8000::/34", asn(4_200_000_000)],
] as const;

describe("AS numbers of a MaxMind-format file", () => {
  test.each([24, 28, 32] as const)("are found, records of %d bits", (recordBits) => {
    const find = lookupOf([
      listed(64_496, 4_200_000_000),
      imageOf(mmdbOf(networks, { recordBits })),
    ]);
    const of = (n: number) => ({ list: "hosting", asn: `AS${n}` });
    expect(find("192.0.2.200")).toEqual(of(64_496));
    expect(find("203.0.113.7")).toEqual(of(64_496));
    expect(find("2001:db8:7fff::1")).toEqual(of(64_496));
    expect(find("2001:db8:bfff::1")).toEqual(of(4_200_000_000));
    for (const other of [
      "198.51.100.1",
      "203.0.113.8",
      "2001:db8:c000::",
      "192.0.3.0",
      "::c000:201",
    ])
      expect(find(other), other).toBeUndefined();
  });

  test("are found where the file knows IPv4 only", () => {
    const bytes = mmdbOf(networks.slice(0, 3), { ipVersion: 4 });
    const find = lookupOf([listed(64_496), imageOf(bytes)]);
    expect(find("192.0.2.200")).toMatchObject({ asn: "AS64496" });
    expect(find("2001:db8::1")).toBeUndefined();
  });

  test("leave out networks whose AS number is in no list", () => {
    expect(lookupOf([imageOf(mmdbOf(networks))])("192.0.2.200")).toBeUndefined();
  });
});

test("flags of Anonymous IP say what an address is, the more telling one where there are two", () => {
  const bytes = mmdbOf([
    ["192.0.2.0/24", { is_anonymous: true, is_hosting_provider: true }],
    ["198.51.100.7/32", { is_anonymous: true, is_tor_exit_node: true, is_anonymous_vpn: true }],
    ["203.0.113.0/24", { is_anonymous: false }],
    ["2001:db8::/32", { is_anonymous: true }],
  ]);
  const find = lookupOf([imageOf(bytes, "anonymous")]);
  const of = (kind: string) => ({ list: "anonymous", kind });
  expect(find("192.0.2.1")).toEqual(of("hosting"));
  expect(find("198.51.100.7")).toEqual(of("tor"));
  expect(find("2001:db8::1")).toEqual(of("anonymous"));
  expect(find("203.0.113.1")).toBeUndefined();
});

describe("a file that is not in order", () => {
  test.each([
    ["of no bytes", Buffer.alloc(0)],
    ["of text", Buffer.from("192.0.2.1\n")],
    ["of countries", mmdbOf([["192.0.2.0/24", { country: "NL" }]])],
    ["without networks", mmdbOf([])],
    ["cut off", mmdbOf(networks).subarray(0, -40)],
    ["whose tree is cut off", mmdbOf(networks).subarray(300)],
  ])("%s is refused with a reason", (_what, bytes) => {
    expect(readMmdb("asn", bytes)).toEqual({ problem: expect.stringMatching(/^(is|has) /) });
  });

  test("whatever its bytes are, is read or refused", () => {
    const whole = mmdbOf(networks);
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        const { image, problem } = readMmdb("asn", bytes);
        return (image === undefined) !== (problem === undefined);
      }),
      { numRuns: 500 },
    );
  });

  test("a tree whose nodes lead to each other comes to an end", () => {
    const bytes = mmdbOf([["192.0.2.0/24", asn(64_496)]], { ipVersion: 4 });
    // The root leads to itself on its right side, and to the next node on its left.
    bytes.writeUIntBE(0, 3, 3);
    expect(readMmdb("asn", bytes).problem).toMatch(/^is damaged: its tree is too (deep|large)/);
  });
});

test("a small file whose nodes are used again and again is damaged, and takes no time", () => {
  const bytes = mmdbOf([["192.0.2.0/24", { is_anonymous: true }]], { ipVersion: 4 });
  for (let node = 0; node < 23; node++) {
    bytes.writeUIntBE(node + 1, node * 6, 3);
    bytes.writeUIntBE(node + 1, node * 6 + 3, 3);
  }
  expect(readMmdb("a", bytes)).toEqual({ problem: "is damaged: its tree is too large" });
});
