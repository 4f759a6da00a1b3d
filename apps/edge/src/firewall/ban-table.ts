import { randomBytes } from "node:crypto";
import {
  SharedHashTable,
  type TableLayout,
  timeLeft,
} from "@palisade/shared-tables/shared-hash-table";
import { BanKey } from "./ban-key.ts";

const secondsMax = 3_600;
const seedBytes = 8;
/** Words behind the slots: the seed of the keys, then the second in which the last ban ends. */
const lastEndAt = seedBytes / Int32Array.BYTES_PER_ELEMENT;
const layout: TableLayout = { reach: 64, restWords: 2, tailWords: lastEndAt + 2 };

/**
 * Networks that may not connect, shared by all threads: written by the thread that decides, read by
 * those that accept. If the kernel helps, few of these connections get this far.
 *
 * The table has a fixed size; if a ban finds no room, the one that ends first makes room. A slot
 * that is half-written, by a thread that died too, bans no address.
 */
export class BanTable {
  readonly #table: SharedHashTable;
  readonly #key: BanKey;
  readonly #lastEnd: number;

  /** @param slots a power of two; twice as many as there are bans, so that none takes another's place */
  static allocate(slots = 131_072): SharedArrayBuffer {
    const buffer = SharedHashTable.allocate(slots, layout);
    seedOf(buffer).set(randomBytes(seedBytes));
    return buffer;
  }

  /** @param buffer of `allocate` */
  constructor(buffer: SharedArrayBuffer) {
    // After the clock was set back no ban lasts longer than the longest possible one.
    this.#table = new SharedHashTable(buffer, layout, timeLeft(secondsMax));
    this.#key = new BanKey(seedOf(buffer));
    this.#lastEnd = this.#table.tail + lastEndAt;
  }

  /**
   * Adds a ban; one that is there already never gets shorter.
   *
   * @param network CIDR as of `Ban`
   * @returns whether the text is such a network
   */
  add(network: string, seconds: number, nowMs: number): boolean {
    if (!this.#key.setNetwork(network)) return false;
    const now = Math.floor(nowMs / 1_000);
    const until = now + seconds;
    this.#add(until, now);
    const { words } = this.#table;
    if (until > Atomics.load(words, this.#lastEnd)) Atomics.store(words, this.#lastEnd, until);
    return true;
  }

  remove(network: string): void {
    const slot = this.#key.setNetwork(network) ? this.#table.find(this.#key) : -1;
    const state = slot < 0 ? undefined : this.#table.read(slot, this.#key);
    if (state !== undefined) this.#table.replace(slot, state, 0);
  }

  /** @param source of `sourceKey` */
  has(source: string, nowMs: number): boolean {
    const now = Math.floor(nowMs / 1_000);
    // The usual case: no ban is in force.
    if (Atomics.load(this.#table.words, this.#lastEnd) <= now) return false;
    if (!this.#key.setSource(source)) return false;
    if (this.#table.worth(this.#key, now) > 0) return true;
    this.#key.setAround();
    return this.#table.worth(this.#key, now) > 0;
  }

  #add(until: number, now: number): void {
    for (;;) {
      const slot = this.#table.find(this.#key);
      if (slot < 0) {
        if (this.#table.insert(this.#key, until, now) >= 0) return;
        continue;
      }
      const state = this.#table.read(slot, this.#key);
      if (state === undefined) continue;
      if (this.#table.worthOf(state, now, slot) >= until - now) return;
      if (this.#table.replace(slot, state, until)) return;
    }
  }
}

function seedOf(buffer: SharedArrayBuffer): Uint8Array {
  const tailBytes = (layout.tailWords ?? 0) * Int32Array.BYTES_PER_ELEMENT;
  return new Uint8Array(buffer, buffer.byteLength - tailBytes, seedBytes);
}
