import { describe, expect, test } from "vitest";
import { addNetwork, estimateSources, mergeRegisters, sourceRegisters } from "./hyperloglog.ts";

function seen(networks: Iterable<Uint8Array>): Uint8Array {
  const registers = sourceRegisters();
  for (const ip of networks) addNetwork(registers, ip);
  return registers;
}

function* ipv4(networks: number, from = 0): Generator<Uint8Array> {
  for (let n = from; n < from + networks; n++) {
    for (const host of [1, 254]) yield Uint8Array.of(n >> 16, (n >> 8) & 0xff, n & 0xff, host);
  }
}

describe("different networks", () => {
  test.each([0, 1, 5, 60, 1_000, 50_000])(
    "%d networks give an estimate near that number",
    (networks) => {
      const estimate = estimateSources(seen(ipv4(networks)));
      // Four times what it is off by as a rule.
      expect(Math.abs(estimate - networks)).toBeLessThanOrEqual(Math.ceil(networks * 0.26));
    },
  );

  test("IPv6 sources are different /64 networks", () => {
    const ips = Array.from({ length: 400 }, (_, n) => {
      const ip = new Uint8Array(16);
      ip.set([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, n % 4]);
      ip[15] = n % 256;
      return ip;
    });
    expect(estimateSources(seen(ips))).toBe(4);
  });

  test("seen by several workers are counted once", () => {
    const registers = seen(ipv4(1_000));
    mergeRegisters(registers, seen(ipv4(1_000, 500)));
    expect(registers).toEqual(seen(ipv4(1_500)));
  });
});
