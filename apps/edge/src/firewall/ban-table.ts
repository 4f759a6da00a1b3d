import { parseIp } from "@palisade/minecraft-protocol/proxy/address";

/**
 * Networks that may not connect, shared by all threads: written by the thread that decides, read by
 * those that accept. If the kernel helps, few of these connections get this far.
 *
 * The table has a fixed size. A slot holds the kind of network, its two words, and the second in
 * which its ban ends. The end is cleared before the others are written, so a slot that is half-
 * written, by a thread that died too, bans no address.
 */
export class BanTable {
  readonly #words: Int32Array;
  readonly #slots: number;

  /** @param buffer of `allocate` */
  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
    this.#slots = (this.#words.length - headWords) / slotWords;
  }

  /** @param slots a power of two; twice as many as there are bans, so that none takes another's place */
  static allocate(slots = 131_072): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * (headWords + slots * slotWords));
  }

  /**
   * Adds a ban; one that is there already never gets shorter.
   *
   * @param network CIDR as of `Ban`
   * @returns whether the text is such a network
   */
  add(network: string, seconds: number, nowMs: number): boolean {
    const key = keyOfNetwork(network);
    if (key === undefined) return false;
    const now = Math.floor(nowMs / 1_000);
    const at = this.#placeFor(key, now);
    const until = Math.max(now + seconds, this.#is(at, key) ? this.#untilOf(at, now) : 0);
    Atomics.store(this.#words, at + untilAt, 0);
    Atomics.store(this.#words, at, key.kind);
    Atomics.store(this.#words, at + 1, key.high);
    Atomics.store(this.#words, at + 2, key.low);
    Atomics.store(this.#words, at + untilAt, until);
    if (until > Atomics.load(this.#words, 0)) Atomics.store(this.#words, 0, until);
    return true;
  }

  remove(network: string): void {
    const key = keyOfNetwork(network);
    if (key === undefined) return;
    const at = this.#find(key);
    if (at !== undefined) Atomics.store(this.#words, at + untilAt, 0);
  }

  /** @param source of `sourceKey` */
  has(source: string, nowMs: number): boolean {
    const now = Math.floor(nowMs / 1_000);
    // The usual case: no ban is in force.
    if (Atomics.load(this.#words, 0) <= now) return false;
    const key = keyOfSource(source);
    return key !== undefined && (this.#holds(key, now) || this.#holds(around(key), now));
  }

  #holds(key: Key, now: number): boolean {
    const at = this.#find(key);
    if (at === undefined) return false;
    return this.#untilOf(at, now) > now && this.#is(at, key);
  }

  /** After the clock was set back no ban lasts longer than the longest possible one. */
  #untilOf(at: number, now: number): number {
    const until = Atomics.load(this.#words, at + untilAt);
    return until - now <= secondsMax ? until : 0;
  }

  /** Its own slot, a free one, or that of the ban which ends first. */
  #placeFor(key: Key, now: number): number {
    const own = this.#find(key);
    if (own !== undefined) return own;
    let best = this.#at(key, 0);
    for (let step = 0; step < probesMax; step++) {
      const at = this.#at(key, step);
      const until = Atomics.load(this.#words, at + untilAt);
      if (until <= now) return at;
      if (until < Atomics.load(this.#words, best + untilAt)) best = at;
    }
    return best;
  }

  #find(key: Key): number | undefined {
    for (let step = 0; step < probesMax; step++) {
      const at = this.#at(key, step);
      if (this.#is(at, key)) return at;
      if (Atomics.load(this.#words, at) === 0) return undefined;
    }
    return undefined;
  }

  #is(at: number, { kind, high, low }: Key): boolean {
    const words = this.#words;
    if (Atomics.load(words, at) !== kind || Atomics.load(words, at + 1) !== high) return false;
    return Atomics.load(words, at + 2) === low;
  }

  #at({ kind, high, low }: Key, step: number): number {
    let hash = Math.imul(high ^ Math.imul(low, 0x9e3779b1) ^ kind, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return headWords + (((hash ^ (hash >>> 16)) + step) & (this.#slots - 1)) * slotWords;
  }
}

/** When the last ban ends. */
const headWords = 1;
const slotWords = 4;
const untilAt = 3;
const probesMax = 32;
const secondsMax = 3_600;

const address4 = 1;
const network4 = 2;
const line6 = 3;
const network6 = 4;

interface Key {
  readonly kind: number;
  readonly high: number;
  readonly low: number;
}

function keyOfSource(source: string): Key | undefined {
  if (!source.includes(".")) {
    if (source.length !== 16) return undefined;
    const high = Number.parseInt(source.slice(0, 8), 16) | 0;
    return { kind: line6, high, low: Number.parseInt(source.slice(8), 16) | 0 };
  }
  let low = 0;
  let part = 0;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 46) {
      low = (low << 8) | part;
      part = 0;
    } else part = part * 10 + code - 48;
  }
  return { kind: address4, high: 0, low: (low << 8) | part };
}

/** The network a source is in. */
function around({ kind, high, low }: Key): Key {
  if (kind === address4) return { kind: network4, high, low: low & ~0xff };
  return { kind: network6, high, low: low & ~0xffff };
}

const kinds = new Map([
  ["32", address4],
  ["24", network4],
  ["64", line6],
  ["48", network6],
]);

function keyOfNetwork(network: string): Key | undefined {
  const [text = "", prefix = ""] = network.split("/");
  const kind = kinds.get(prefix);
  const ip = parseIp(text);
  if (kind === undefined || ip === undefined) return undefined;
  const view = new DataView(ip.buffer, ip.byteOffset, ip.length);
  if (ip.length === 4) return { kind, high: 0, low: view.getInt32(0) };
  return { kind, high: view.getInt32(0), low: view.getInt32(4) };
}
