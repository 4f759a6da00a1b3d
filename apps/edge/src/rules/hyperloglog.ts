import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";

/**
 * About how many different networks (/24 of IPv4, /64 of IPv6) logins come from, in 256 bytes:
 * HyperLogLog (Flajolet et al. 2007) with its correction for few, off by 6.5 % as a rule.
 */

const indexBits = 8;
export const registerCount = 1 << indexBits;
/** For 256 registers, from the paper. */
const alpha = 0.7213 / (1 + 1.079 / registerCount);

export function sourceRegisters(): Uint8Array {
  return new Uint8Array(registerCount);
}

/** 32 bits, mixed so that every bit of the network moves each of them. */
export function networkHash(ip: IpBytes): number {
  const bytes = ip.length === 4 ? 3 : 8;
  let hash = ip.length;
  for (let index = 0; index < bytes; index++) {
    hash = Math.imul(hash ^ (ip[index] ?? 0), 0x0100_0193);
    hash = (hash << 13) | (hash >>> 19);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The register a network belongs to. */
export function registerOf(hash: number): number {
  return hash >>> (32 - indexBits);
}

/** The value for that register: 1 plus the leading zeros of the rest of the hash. */
export function rankOf(hash: number): number {
  return Math.min(Math.clz32(hash << indexBits), 32 - indexBits) + 1;
}

/** Afterwards the registers know the network. */
export function addNetwork(registers: Uint8Array, ip: IpBytes): void {
  const hash = networkHash(ip);
  const register = registerOf(hash);
  registers[register] = Math.max(registers[register] ?? 0, rankOf(hash));
}

/** Afterwards `into` knows the networks of both. */
export function mergeRegisters(into: Uint8Array, from: Uint8Array): void {
  for (let index = 0; index < registerCount; index++) {
    into[index] = Math.max(into[index] ?? 0, from[index] ?? 0);
  }
}

export function estimateSources(registers: Uint8Array): number {
  let sum = 0;
  let empty = 0;
  for (const rank of registers) {
    sum += 2 ** -rank;
    if (rank === 0) empty++;
  }
  const estimate = (alpha * registerCount * registerCount) / sum;
  const isFew = estimate <= 2.5 * registerCount && empty > 0;
  return Math.round(isFew ? registerCount * Math.log(registerCount / empty) : estimate);
}
