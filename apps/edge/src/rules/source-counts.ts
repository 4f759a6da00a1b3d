import { mixBits } from "@palisade/shared-tables/seeded-hash";

/** A source as numbers: an IPv4 address is the second, an IPv6 /64 is both. */
export interface SourceNumbers {
  /** 4 or 6; 0: no address. */
  family: 0 | 4 | 6;
  high: number;
  low: number;
}

const ipv6Digits = 16;
const zero = 0x30;
const dot = 0x2e;

/**
 * Reads a key of `sourceKey`; what is no address is of no family. Nothing is made, since every
 * connection comes by.
 */
export function readSource(key: string, into: SourceNumbers): void {
  into.high = 0;
  into.low = 0;
  into.family =
    key.length === ipv6Digits && !key.includes(".") ? readIpv6(key, into) : readIpv4(key, into);
}

function readIpv4(key: string, into: SourceNumbers): 0 | 4 {
  let parts = 1;
  let part = 0;
  let low = 0;
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    if (code === dot) {
      low = (low << 8) | part;
      part = 0;
      parts++;
    } else if (code >= zero && code < zero + 10) part = 10 * part + code - zero;
    else return 0;
    if (part > 255) return 0;
  }
  into.low = ((low << 8) | part) >>> 0;
  return parts === 4 ? 4 : 0;
}

function readIpv6(key: string, into: SourceNumbers): 0 | 6 {
  for (let index = 0; index < ipv6Digits; index++) {
    const digit = hexDigit(key.charCodeAt(index));
    if (digit < 0) return 0;
    if (index < ipv6Digits / 2) into.high = ((into.high << 4) | digit) >>> 0;
    else into.low = ((into.low << 4) | digit) >>> 0;
  }
  return 6;
}

function hexDigit(code: number): number {
  if (code >= zero && code < zero + 10) return code - zero;
  return code >= 0x61 && code <= 0x66 ? code - 0x61 + 10 : -1;
}

/** CIDR of the source alone (/32, /64) or of those around it (/24, /48). */
export function networkText(family: number, high: number, low: number, isAround: boolean): string {
  if (family === 4) {
    const bytes = [low >>> 24, (low >>> 16) & 255, (low >>> 8) & 255, low & 255];
    return `${bytes.join(".")}/${isAround ? 24 : 32}`;
  }
  const groups = [high >>> 16, high & 0xffff, low >>> 16];
  if (!isAround) groups.push(low & 0xffff);
  return `${groups.map((group) => group.toString(16)).join(":")}::/${isAround ? 48 : 64}`;
}

/** The second number of the network around a source: its /24 or /48. */
export function aroundOf(family: number, low: number): number {
  return (low & (family === 4 ? 0xffff_ff00 : 0xffff_0000)) >>> 0;
}

/** Counts of a source, or of the network around it. */
export const sourceCount = {
  /** All connections. */
  connections: 0,
  /** Ended as those of real clients hardly do: not in the protocol, silent, failing a check. */
  hostile: 1,
  /** Refused for another reason. */
  refused: 2,
  /** Became a player's. */
  admitted: 3,
  /** For a network: different sources. */
  sources: 4,
} as const;
export type SourceCount = (typeof sourceCount)[keyof typeof sourceCount];

const facts = Object.values(sourceCount);
const factCount = facts.length;
/** Far above every limit; more is not told apart. */
const countMax = 0xffff;
const slotsMin = 256;

/** Rows one after the other, of a structured clone's kind. */
export interface SourceRows {
  readonly size: number;
  /** 4 or 6. */
  readonly families: Uint8Array;
  /** Two of each: of IPv4 the second is the address, of IPv6 both are the /64. */
  readonly keys: Uint32Array;
  /** By `fact`, as many of each as there are facts. */
  readonly counts: Uint16Array;
}

/**
 * Facts by source, outside of the heap: a flood from many addresses would otherwise fill it with
 * what lives just long enough to be copied by each collection. It begins small and grows up to a
 * bound; what comes beyond is not taken.
 */
export class SourceTable {
  readonly #rowsMax: number;
  readonly #seed: number;
  #slots = slotsMin;
  /** 0: free. */
  #families = new Uint8Array(slotsMin);
  #keys = new Uint32Array(2 * slotsMin);
  #counts = new Uint16Array(factCount * slotsMin);
  #size = 0;

  /** @param seed secret, so that an attacker cannot choose sources that share a slot */
  constructor(rowsMax: number, seed: number) {
    this.#rowsMax = rowsMax;
    this.#seed = seed;
  }

  get size(): number {
    return this.#size;
  }

  /** -1 where it has none. Rows keep their number until another is taken. */
  find(family: number, high: number, low: number): number {
    const slot = this.#slotOf(family, high, low);
    return this.#families[slot] === 0 ? -1 : slot;
  }

  /** A row, new where it had none; -1 where there are as many as there may be. */
  take(family: number, high: number, low: number): number {
    const slot = this.#slotOf(family, high, low);
    if (this.#families[slot] !== 0) return slot;
    if (this.#size >= this.#rowsMax) return -1;
    if (2 * this.#size >= this.#slots) {
      this.#grow();
      return this.take(family, high, low);
    }
    this.#size++;
    this.#families[slot] = family;
    this.#keys[2 * slot] = high;
    this.#keys[2 * slot + 1] = low;
    return slot;
  }

  get(row: number, of: SourceCount): number {
    return row < 0 ? 0 : (this.#counts[factCount * row + of] ?? 0);
  }

  add(row: number, of: SourceCount, more: number): void {
    const at = factCount * row + of;
    this.#counts[at] = Math.min(countMax, (this.#counts[at] ?? 0) + more);
  }

  /** Its memory stays: what is outside of the heap is given back late. */
  clear(): void {
    if (this.#size === 0) return;
    this.#families.fill(0);
    this.#counts.fill(0);
    this.#size = 0;
  }

  each(visit: (row: number, family: number, high: number, low: number) => void): void {
    for (let slot = 0; slot < this.#slots; slot++) {
      const family = this.#families[slot] ?? 0;
      if (family === 0) continue;
      visit(slot, family, this.#keys[2 * slot] ?? 0, this.#keys[2 * slot + 1] ?? 0);
    }
  }

  /** All there is, without the gaps. */
  rows(): SourceRows {
    const families = new Uint8Array(this.#size);
    const keys = new Uint32Array(2 * this.#size);
    const counts = new Uint16Array(factCount * this.#size);
    let to = 0;
    this.each((row, family, high, low) => {
      families[to] = family;
      keys[2 * to] = high;
      keys[2 * to + 1] = low;
      const from = factCount * row;
      counts.set(this.#counts.subarray(from, from + factCount), factCount * to);
      to++;
    });
    return { size: this.#size, families, keys, counts };
  }

  /** Takes over what a row of others says. @returns its own row; -1 where there is no room */
  addRow(from: SourceRows, index: number): number {
    const { families, keys, counts } = from;
    const row = this.take(families[index] ?? 0, keys[2 * index] ?? 0, keys[2 * index + 1] ?? 0);
    if (row >= 0) this.addCounts(row, counts, index);
    return row;
  }

  addCounts(row: number, counts: Uint16Array, index: number): void {
    for (const of of facts) this.add(row, of, counts[factCount * index + of] ?? 0);
  }

  #slotOf(family: number, high: number, low: number): number {
    const mask = this.#slots - 1;
    let slot = mixBits(mixBits(low ^ this.#seed) ^ high) & mask;
    // At least half of the slots are free.
    for (;;) {
      const found = this.#families[slot];
      if (found === 0) return slot;
      const isSame = this.#keys[2 * slot] === high && this.#keys[2 * slot + 1] === low;
      if (isSame && found === family) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const rows = this.rows();
    this.#slots *= 2;
    this.#families = new Uint8Array(this.#slots);
    this.#keys = new Uint32Array(2 * this.#slots);
    this.#counts = new Uint16Array(factCount * this.#slots);
    this.#size = 0;
    for (let index = 0; index < rows.size; index++) this.addRow(rows, index);
  }
}

/** Sources counted between two reads; further ones are not counted. */
const sourcesMax = 16_384;

const none: SourceRows = new SourceTable(0, 0).rows();

/**
 * How connections of each source ended, as one thread counts it until the deciding thread takes it.
 */
export class AbuseCounters {
  readonly #table: SourceTable;
  readonly #read: SourceNumbers = { family: 0, high: 0, low: 0 };

  /** @param seed of 32 random bits */
  constructor(seed = 0) {
    this.#table = new SourceTable(sourcesMax, seed);
  }

  /**
   * A connection has ended.
   *
   * @param key of `sourceKey`; a key that is no address is ignored
   * @param also a second count for how it ended; null for none
   */
  note(key: string, also: SourceCount | null): void {
    const read = this.#read;
    readSource(key, read);
    if (read.family === 0) return;
    const row = this.#table.take(read.family, read.high, read.low);
    if (row < 0) return;
    this.#table.add(row, sourceCount.connections, 1);
    if (also !== null) this.#table.add(row, also, 1);
  }

  /** Takes over what another thread has counted. */
  add(rows: SourceRows): void {
    for (let index = 0; index < rows.size; index++) this.#table.addRow(rows, index);
  }

  drain(): SourceRows {
    if (this.#table.size === 0) return none;
    const rows = this.#table.rows();
    this.#table.clear();
    return rows;
  }
}
