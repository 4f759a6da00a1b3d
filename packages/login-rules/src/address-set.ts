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

/** They hold the address that is looked up now; no look-up waits for anything. */
const words4 = new Uint32Array(1);
const words6 = new Uint32Array(4);

function toWords(ip: IpBytes): Words {
  const words = ip.length === 4 ? words4 : words6;
  for (let index = 0; index < words.length; index++) words[index] = wordOf(ip, index);
  return words;
}

/** Addresses as one (IPv4) or four (IPv6) unsigned 32-bit words, and ranges of them. */
export type Words = Uint32Array;

/** Words of an address of this family. */
export type Width = 1 | 4;

export function wordOf(ip: IpBytes, index: number): number {
  const at = 4 * index;
  const high = ((ip[at] ?? 0) << 24) | ((ip[at + 1] ?? 0) << 16);
  return (high | ((ip[at + 2] ?? 0) << 8) | (ip[at + 3] ?? 0)) >>> 0;
}

/** Mask of one word of which `prefix` bits, bounded to 0 and 32, are given. */
function maskOf(prefix: number): number {
  if (prefix <= 0) return 0;
  return prefix >= 32 ? 0xffffffff : ~(0xffffffff >>> prefix);
}

export interface CompiledRanges {
  readonly count: number;
  /** `count` times the words of an address. */
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
}

/** A word and a place together are a whole number that a double holds, so there are no more. */
export const rangesMax = 2 ** 21;

/** Ranges of one family: words in one table, for no list may hold up players while it is compiled. */
export class Ranges {
  readonly #width: Width;
  readonly #firsts: Uint32Array;
  readonly #lasts: Uint32Array;
  #count = 0;

  constructor(width: Width, max: number) {
    if (max > rangesMax) throw new RangeError("more ranges than a table takes");
    this.#width = width;
    this.#firsts = new Uint32Array(max * width);
    this.#lasts = new Uint32Array(max * width);
  }

  add(ip: IpBytes, prefix: number): void {
    const at = this.#width * this.#count++;
    for (let index = 0; index < this.#width; index++) {
      const word = wordOf(ip, index);
      const mask = maskOf(prefix - 32 * index);
      this.#firsts[at + index] = word & mask;
      this.#lasts[at + index] = word | ~mask;
    }
  }

  /** Sorted, and those that overlap made one. */
  compile(): CompiledRanges {
    const width = this.#width;
    const from = { firsts: this.#firsts, lasts: this.#lasts };
    const firsts = new Uint32Array(this.#count * width);
    const lasts = new Uint32Array(this.#count * width);
    let end = 0;
    for (const place of this.#sorted()) {
      const at = place * width;
      const before = end - width;
      if (end === 0 || compare(lasts, before, from.firsts, at, width) < 0) {
        copy(from.firsts, at, firsts, end, width);
        copy(from.lasts, at, lasts, end, width);
        end += width;
      } else if (compare(lasts, before, from.lasts, at, width) < 0) {
        copy(from.lasts, at, lasts, before, width);
      }
    }
    return { count: end / width, firsts: firsts.slice(0, end), lasts: lasts.slice(0, end) };
  }

  /**
   * Places by their first addresses: word by word from the last, each time as numbers that end in
   * the order so far, since numbers are sorted without a call for every comparison.
   */
  #sorted(): Uint32Array {
    let order = new Uint32Array(this.#count).map((_, place) => place);
    const keys = new Float64Array(this.#count);
    for (let index = this.#width - 1; index >= 0; index--) {
      for (let rank = 0; rank < keys.length; rank++) {
        const word = this.#firsts[(order[rank] ?? 0) * this.#width + index] ?? 0;
        keys[rank] = word * rangesMax + rank;
      }
      keys.sort();
      const before = order;
      order = new Uint32Array(this.#count);
      for (let rank = 0; rank < keys.length; rank++) {
        order[rank] = before[(keys[rank] ?? 0) % rangesMax] ?? 0;
      }
    }
    return order;
  }
}

export function copy(
  from: Uint32Array,
  at: number,
  to: Uint32Array,
  toAt: number,
  width: number,
): void {
  for (let index = 0; index < width; index++) to[toAt + index] = from[at + index] ?? 0;
}

/**
 * Place of the range that holds the address; -1 where none does. The last one that begins at or
 * before it is the only one that can.
 */
export function rangeOf(ranges: CompiledRanges, address: Words): number {
  const { count, firsts, lasts } = ranges;
  const width = address.length;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(firsts, middle * width, address, 0, width) <= 0) low = middle + 1;
    else high = middle;
  }
  return low > 0 && compare(lasts, (low - 1) * width, address, 0, width) >= 0 ? low - 1 : -1;
}

export function compare(
  a: Uint32Array,
  at: number,
  b: Uint32Array,
  bAt: number,
  width: number,
): number {
  for (let index = 0; index < width; index++) {
    const difference = (a[at + index] ?? 0) - (b[bAt + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
