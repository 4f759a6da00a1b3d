import { type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";

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

/** An address as one (IPv4) or four (IPv6) unsigned 32-bit words. */
type Words = Uint32Array;

interface Range {
  readonly first: Words;
  readonly last: Words;
}

/** Most shields have no lists: one set for all of them. */
const empty: AddressSetResult = { ok: true, set: { size: 0, has: () => false } };

/** @param entries IPv4, IPv6 or CIDR; bits behind a prefix are ignored */
export function compileAddressSet(entries: readonly string[]): AddressSetResult {
  if (entries.length === 0) return empty;
  const ranges4: Range[] = [];
  const ranges6: Range[] = [];
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range === undefined) return { ok: false, invalid: entry };
    (range.first.length === 1 ? ranges4 : ranges6).push(range);
  }
  const set4 = compileRanges(ranges4, 1);
  const set6 = compileRanges(ranges6, 4);
  return {
    ok: true,
    set: {
      size: entries.length,
      has: (ip) => {
        const words = toWords(ip);
        return contains(words.length === 1 ? set4 : set6, words);
      },
    },
  };
}

function parseRange(entry: string): Range | undefined {
  const slash = entry.indexOf("/");
  const ip = parseIp(slash < 0 ? entry : entry.slice(0, slash));
  if (ip === undefined) return undefined;
  const words = toWords(ip);
  const bits = words.length * 32;
  if (slash < 0) return { first: words, last: words };
  const digits = entry.slice(slash + 1);
  if (!/^\d{1,3}$/.test(digits)) return undefined;
  // A range of IPv4-mapped addresses is the IPv4 range it means.
  const mapped = words.length === 1 && entry.includes(":") ? 96 : 0;
  const prefix = Number(digits) - mapped;
  if (prefix < 0 || prefix > bits) return undefined;
  const last = words.slice();
  for (let index = 0; index < words.length; index++) {
    const mask = maskOf(prefix - 32 * index);
    words[index] = (words[index] ?? 0) & mask;
    last[index] = (last[index] ?? 0) | ~mask;
  }
  return { first: words, last };
}

/** Mask of one word of which `prefix` bits, bounded to 0 and 32, are given. */
function maskOf(prefix: number): number {
  if (prefix <= 0) return 0;
  return prefix >= 32 ? 0xffffffff : ~(0xffffffff >>> prefix);
}

function toWords(ip: IpBytes): Words {
  const words = new Uint32Array(ip.length / 4);
  for (let index = 0; index < ip.length; index++) {
    words[index >> 2] = ((words[index >> 2] ?? 0) << 8) | (ip[index] ?? 0);
  }
  return words;
}

function compare(a: Words, b: Words): number {
  for (let index = 0; index < a.length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface CompiledRanges {
  readonly count: number;
  readonly width: number;
  /** `count` times `width` words. */
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
}

function compileRanges(ranges: Range[], width: number): CompiledRanges {
  ranges.sort((a, b) => compare(a.first, b.first));
  const merged: Range[] = [];
  for (const range of ranges) {
    const before = merged.at(-1);
    if (before === undefined || compare(range.first, before.last) > 0) merged.push(range);
    else if (compare(range.last, before.last) > 0) {
      merged[merged.length - 1] = { first: before.first, last: range.last };
    }
  }
  const firsts = new Uint32Array(merged.length * width);
  const lasts = new Uint32Array(merged.length * width);
  for (const [index, range] of merged.entries()) {
    firsts.set(range.first, index * width);
    lasts.set(range.last, index * width);
  }
  return { count: merged.length, width, firsts, lasts };
}

/** The last range that begins at or before the address is the only one that can hold it. */
function contains({ count, width, firsts, lasts }: CompiledRanges, words: Words): boolean {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(firsts, middle * width, words) <= 0) low = middle + 1;
    else high = middle;
  }
  return low > 0 && compareAt(lasts, (low - 1) * width, words) >= 0;
}

function compareAt(table: Uint32Array, at: number, words: Words): number {
  for (let index = 0; index < words.length; index++) {
    const difference = (table[at + index] ?? 0) - (words[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
