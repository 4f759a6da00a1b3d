import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { SeededHash } from "./seeded-hash.ts";

/** Challenges that a player can pass, weakest first. */
export const challenges = ["protocol", "gravity", "premium"] as const;
export type Challenge = (typeof challenges)[number];

/** How long a player stays verified. */
export const verifiedMs = 5 * 24 * 3_600_000;

/**
 * A keyed hash of a lower-case name and a network, at least 8 bytes: HMAC by a secret of the edge.
 */
export type PlayerMac = (network: Uint8Array, name: string) => Uint8Array;

/** One entry as it is kept over restarts. Neither the name nor the address can be read from it. */
export interface VerifiedEntry {
  /** 12 bytes. */
  readonly key: Uint8Array;
  readonly challenge: Challenge;
  readonly expiresAtMs: number;
}

// A slot is the key in three words, then the expiry in minutes and the challenge; 0 was never used.
// The first word of a key is a quick keyed hash, which few strangers match: only players who seem
// known cost an HMAC, whose first 8 bytes are the rest of the key.
const slotWords = 4;
const keyWords = 3;
const keyBytes = keyWords * 4;
const slotsPerBucket = 4;
const bucketWords = slotsPerBucket * slotWords;
const triesMax = 16;
const challengeBits = 2;
const challengeMask = (1 << challengeBits) - 1;
const minuteMs = 60_000;

/** A slot that is being written is free again after this time: its thread has died. */
const claimMinutes = 2;

/**
 * Players who were verified on this edge within five days, by name and network (IPv4 /24, IPv6
 * /64), shared by all its threads. The size is constant: if there is no room, the player whose
 * entry ends first is forgotten and verified again.
 *
 * A thread that changes a slot's state to a claim, without a challenge, owns the slot until it
 * writes another state. The claim of a thread that dies expires; two threads that verify one player
 * at the same time may store them twice.
 */
export class VerifiedPlayers {
  readonly #words: Int32Array;
  readonly #mac: PlayerMac;
  readonly #bucketMask: number;
  readonly #quick: SeededHash;

  /** @param slots a power of two */
  static allocate({ slots = 262_144 } = {}): SharedArrayBuffer {
    if (slots < slotsPerBucket || (slots & (slots - 1)) !== 0) {
      throw new RangeError(`${slots} slots are no power of two, or too few`);
    }
    // One word more: how often the table has changed.
    return new SharedArrayBuffer((slots * slotWords + 1) * 4);
  }

  /** @param mac by a secret of this edge, the same over restarts */
  constructor(buffer: SharedArrayBuffer, mac: PlayerMac) {
    this.#words = new Int32Array(buffer);
    this.#mac = mac;
    // No player has an empty name.
    this.#quick = new SeededHash(mac(new Uint8Array(0), ""));
    this.#bucketMask = (this.#words.length - 1) / bucketWords - 1;
  }

  /** Grows with every entry: the file is up to date as long as it does not change. */
  get changes(): number {
    return Atomics.load(this.#words, this.#words.length - 1);
  }

  /** The strongest challenge the player has passed; undefined if none. */
  passedChallenge(name: string, ip: IpBytes, nowMs: number): Challenge | undefined {
    return challenges[(this.#validState(name, ip, nowMs) & challengeMask) - 1];
  }

  /** When the player last passed one, to a minute; undefined if never. */
  passedAtMs(name: string, ip: IpBytes, nowMs: number): number | undefined {
    const state = this.#validState(name, ip, nowMs);
    return state === 0 ? undefined : (state >>> challengeBits) * minuteMs - verifiedMs;
  }

  /** Records a passed challenge. A weaker one than before prolongs the stronger one. */
  add(name: string, ip: IpBytes, challenge: Challenge, nowMs: number): void {
    const before = this.passedChallenge(name, ip, nowMs);
    const strongest =
      before !== undefined && challenges.indexOf(before) > challenges.indexOf(challenge)
        ? before
        : challenge;
    this.#put(this.#keyOf(name, ip), strongest, nowMs + verifiedMs, nowMs);
  }

  *entries(nowMs: number): Generator<VerifiedEntry> {
    const end = this.#words.length - 1;
    for (let at = 0; at < end; at += slotWords) {
      const state = Atomics.load(this.#words, at + keyWords);
      const challenge = challenges[(state & challengeMask) - 1];
      const expiresAtMs = (state >>> challengeBits) * minuteMs;
      if (challenge === undefined || expiresAtMs <= nowMs) continue;
      const key = Buffer.alloc(keyBytes);
      for (let n = 0; n < keyWords; n++) key.writeInt32LE(this.#words[at + n] ?? 0, 4 * n);
      yield { key, challenge, expiresAtMs };
    }
  }

  /** Loads the entries of an earlier start; expired ones are skipped. */
  load(entries: Iterable<VerifiedEntry>, nowMs: number): void {
    for (const { key, challenge, expiresAtMs } of entries) {
      const isPlausible = expiresAtMs > nowMs && expiresAtMs <= nowMs + verifiedMs + minuteMs;
      if (key.length === keyBytes && isPlausible)
        this.#put(asBuffer(key), challenge, expiresAtMs, nowMs);
    }
  }

  #quickOf(name: string, ip: IpBytes): number {
    this.#quick.begin(0).add(ip, networkBytes(ip)).addName(name).end();
    return this.#quick.low;
  }

  #keyOf(name: string, ip: IpBytes): Buffer {
    const mac = this.#mac(ip.subarray(0, networkBytes(ip)), name.toLowerCase());
    const key = Buffer.alloc(keyBytes);
    key.writeInt32LE(this.#quickOf(name, ip), 0);
    key.set(mac.subarray(0, keyBytes - 4), 4);
    return key;
  }

  #mayKnow(quick: number): boolean {
    const first = this.#bucketOf(quick);
    for (let at = first; at < first + bucketWords; at += slotWords) {
      if (Atomics.load(this.#words, at) === quick) return true;
    }
    return false;
  }

  /** 0 if the player is not known, or no longer. */
  #validState(name: string, ip: IpBytes, nowMs: number): number {
    if (this.changes === 0) return 0;
    if (!this.#mayKnow(this.#quickOf(name, ip))) return 0;
    const state = this.#stateOf(this.#keyOf(name, ip));
    const minutes = (state >>> challengeBits) - Math.floor(nowMs / minuteMs);
    // A clock that was set back must not verify players for ever.
    if (minutes <= 0 || minutes > verifiedMs / minuteMs + 1) return 0;
    // A state without a challenge is being written.
    return (state & challengeMask) === 0 ? 0 : state;
  }

  #stateOf(key: Buffer): number {
    const at = this.#find(key);
    if (at < 0) return 0;
    const state = Atomics.load(this.#words, at + keyWords);
    // The slot may have been given to another player in between.
    return this.#find(key) === at ? state : 0;
  }

  #find(key: Buffer): number {
    const quick = quickIn(key);
    const first = this.#bucketOf(quick);
    const words = this.#words;
    for (let at = first; at < first + bucketWords; at += slotWords) {
      const isIt =
        Atomics.load(words, at) === quick &&
        Atomics.load(words, at + 1) === key.readInt32LE(4) &&
        Atomics.load(words, at + 2) === key.readInt32LE(8);
      if (isIt) return at;
    }
    return -1;
  }

  #put(key: Buffer, challenge: Challenge, expiresAtMs: number, nowMs: number): void {
    const state =
      (Math.ceil(expiresAtMs / minuteMs) << challengeBits) | (challenges.indexOf(challenge) + 1);
    const nowMinutes = Math.floor(nowMs / minuteMs);
    for (let tried = 0; tried < triesMax; tried++) {
      if (!this.#renew(key, state, nowMinutes) && !this.#insert(key, state, nowMinutes)) continue;
      Atomics.add(this.#words, this.#words.length - 1, 1);
      return;
    }
  }

  /** False if the player has no slot, or it is being given to another. */
  #renew(key: Buffer, state: number, nowMinutes: number): boolean {
    const at = this.#find(key);
    if (at < 0) return false;
    const before = Atomics.load(this.#words, at + keyWords);
    if (isClaimed(before, nowMinutes) || this.#find(key) !== at) return false;
    return Atomics.compareExchange(this.#words, at + keyWords, before, state) === before;
  }

  /** False if another thread was faster. */
  #insert(key: Buffer, state: number, nowMinutes: number): boolean {
    const at = this.#claim(this.#bucketOf(quickIn(key)), nowMinutes);
    if (at < 0) return false;
    for (let n = 0; n < keyWords; n++) Atomics.store(this.#words, at + n, key.readInt32LE(4 * n));
    Atomics.store(this.#words, at + keyWords, state);
    return true;
  }

  /**
   * Claims the slot that is free, or will be free first, for this thread alone; -1 if there is
   * none.
   */
  #claim(first: number, nowMinutes: number): number {
    let victim = -1;
    let victimState = 0;
    let soonest = Number.POSITIVE_INFINITY;
    for (let at = first; at < first + bucketWords && soonest > nowMinutes; at += slotWords) {
      const state = Atomics.load(this.#words, at + keyWords);
      if (isClaimed(state, nowMinutes) || state >>> challengeBits >= soonest) continue;
      soonest = state >>> challengeBits;
      victim = at;
      victimState = state;
    }
    if (victim < 0) return -1;
    const claim = (nowMinutes + claimMinutes) << challengeBits;
    const at = victim + keyWords;
    return Atomics.compareExchange(this.#words, at, victimState, claim) === victimState
      ? victim
      : -1;
  }

  #bucketOf(quick: number): number {
    return (quick & this.#bucketMask) * bucketWords;
  }
}

/** IPv4 /24 or IPv6 /64. */
function networkBytes(ip: IpBytes): number {
  return ip.length === 4 ? 3 : 8;
}

function quickIn(key: Buffer): number {
  return key.readInt32LE(0);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Whether a thread is writing the slot. */
function isClaimed(state: number, nowMinutes: number): boolean {
  return (state & challengeMask) === 0 && state >>> challengeBits > nowMinutes;
}
