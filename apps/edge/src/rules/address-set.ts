import { type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { rangeOf, Ranges, type Words, wordOf } from "./ranges.ts";

/**
 * A set of addresses and CIDR ranges of both families, for tens of thousands of
 * entries: disjoint ranges, sorted, found by binary search. (net.BlockList looks
 * at one rule after the other.)
 */
export interface AddressSet {
  readonly size: number;
  has(ip: IpBytes): boolean;
}

export type AddressSetResult =
  | { readonly ok: true; readonly set: AddressSet }
  | { readonly ok: false; readonly invalid: string };

/** Most shields have no lists: one set for all of them. */
const empty: AddressSetResult = { ok: true, set: { size: 0, has: () => false } };

/** @param entries IPv4, IPv6 or CIDR; bits behind a prefix are ignored */
export function compileAddressSet(entries: readonly string[]): AddressSetResult {
  if (entries.length === 0) return empty;
  const ranges4 = new Ranges(1, entries.length);
  const ranges6 = new Ranges(4, entries.length);
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range === undefined) return { ok: false, invalid: entry };
    (range.ip.length === 4 ? ranges4 : ranges6).add(range.ip, range.prefix);
  }
  const table4 = ranges4.compile();
  const table6 = ranges6.compile();
  return {
    ok: true,
    set: {
      size: entries.length,
      has: (ip) => rangeOf(ip.length === 4 ? table4 : table6, toWords(ip)) >= 0,
    },
  };
}

export interface AddressRange {
  readonly ip: IpBytes;
  /** Bits of `ip`'s family. */
  readonly prefix: number;
}

/** @returns undefined if it is neither an address nor a CIDR range */
export function parseRange(entry: string): AddressRange | undefined {
  const slash = entry.indexOf("/");
  const ip = parseIp(slash < 0 ? entry : entry.slice(0, slash));
  const prefix = ip && prefixOf(entry, slash, ip);
  return ip === undefined || prefix === undefined ? undefined : { ip, prefix };
}

function prefixOf(entry: string, slash: number, ip: IpBytes): number | undefined {
  const bits = ip.length * 8;
  if (slash < 0) return bits;
  const digits = entry.slice(slash + 1);
  if (!/^\d{1,3}$/.test(digits)) return undefined;
  // A range of IPv4-mapped addresses is the IPv4 range it means.
  const prefix = Number(digits) - (bits === 32 && entry.includes(":") ? 96 : 0);
  return prefix < 0 || prefix > bits ? undefined : prefix;
}

function toWords(ip: IpBytes): Words {
  const words = new Uint32Array(ip.length / 4);
  for (let index = 0; index < words.length; index++) words[index] = wordOf(ip, index);
  return words;
}
