import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { type Key, SeededHash } from "@palisade/shared-tables/seeded-hash";
import {
  restAt,
  SharedHashTable,
  type TableLayout,
  timeLeft,
} from "@palisade/shared-tables/shared-hash-table";

/** Challenges that a player can pass, weakest first. */
export const challenges = ["protocol", "gravity", "captcha", "premium"] as const;
export type Challenge = (typeof challenges)[number];

/**
 * Numbers of challenges where they are kept: in cookies, and in the file of verified players. They
 * never change; the order of strength is that of `challenges`.
 */
const codes: Readonly<Record<Challenge, number>> = {
  protocol: 0,
  gravity: 1,
  premium: 2,
  captcha: 3,
};
const byCode = new Map(challenges.map((challenge) => [codes[challenge], challenge]));

export function codeOfChallenge(challenge: Challenge): number {
  return codes[challenge];
}

/** @returns undefined for a number that no challenge has */
export function challengeOfCode(code: number): Challenge | undefined {
  return byCode.get(code);
}

/** How long a player stays verified where the owner has chosen nothing else. */
export const verifiedMs = 5 * 24 * 3_600_000;
/** The longest time that an owner can choose. */
export const verifiedMsMax = 30 * 24 * 3_600_000;

/**
 * A keyed hash of a lower-case name and a network, at least 8 bytes: HMAC by a secret of the edge.
 */
export type PlayerMac = (network: Uint8Array, name: string) => Uint8Array;

/** One entry as it is kept over restarts. Neither the name nor the address can be read from it. */
export interface VerifiedEntry {
  /** 12 bytes. */
  readonly key: Uint8Array;
  readonly challenge: Challenge;
  /** To a minute. */
  readonly passedAtMs: number;
}

// The first word of a key, which is its tag, is a quick keyed hash, which few strangers match: only
// players who seem known cost an HMAC, whose first 8 bytes are the rest of the key. The state is the
// minute in which the entry ends and the challenge.
const restWords = 2;
const keyBytes = 4 + 4 * restWords;
/** One cache line; behind the slots is how often the table has changed. */
const layout: TableLayout = { reach: 4, restWords, tailWords: 2 };
const challengeBits = 3;
const challengeMask = (1 << challengeBits) - 1;
const minuteMs = 60_000;

/** After the clock was set back no player is verified for longer. */
const minutesLeft = timeLeft(verifiedMsMax / minuteMs + 1);

/**
 * Players who were verified on this edge within thirty days, by name and network (IPv4 /24, IPv6
 * /64), shared by all its threads. The owner of a shield decides how long that counts. The size is constant: if there is no room, the player whose
 * entry ends first is forgotten and verified again.
 */
export class VerifiedPlayers {
  readonly #table: SharedHashTable;
  readonly #mac: PlayerMac;
  readonly #quick: SeededHash;
  readonly #key = new PlayerKey();

  /** @param slots a power of two */
  static allocate({ slots = 262_144 } = {}): SharedArrayBuffer {
    return SharedHashTable.allocate(slots, layout);
  }

  /** @param mac by a secret of this edge, the same over restarts */
  constructor(buffer: SharedArrayBuffer, mac: PlayerMac) {
    this.#table = new SharedHashTable(buffer, layout, (state, now, slot) =>
      minutesLeft(state >>> challengeBits, now, slot),
    );
    this.#mac = mac;
    // No player has an empty name.
    this.#quick = new SeededHash(mac(new Uint8Array(0), ""));
  }

  /** Grows with every entry: the file is up to date as long as it does not change. */
  get changes(): number {
    return Atomics.load(this.#table.words, this.#table.tail);
  }

  /** The strongest challenge the player has passed within that time; undefined if none. */
  passedChallenge(
    name: string,
    ip: IpBytes,
    nowMs: number,
    withinMs = verifiedMs,
  ): Challenge | undefined {
    const state = this.#validState(name, ip, nowMs);
    if (state === 0 || endsAtMs(state) - verifiedMsMax + withinMs <= nowMs) return undefined;
    return challengeIn(state);
  }

  /** When the player last passed one, to a minute; undefined if never. */
  passedAtMs(name: string, ip: IpBytes, nowMs: number): number | undefined {
    const state = this.#validState(name, ip, nowMs);
    return state === 0 ? undefined : endsAtMs(state) - verifiedMsMax;
  }

  /**
   * Records a passed challenge. A weaker one than before prolongs the stronger one, if that was
   * passed within the shield's time.
   */
  add(name: string, ip: IpBytes, challenge: Challenge, nowMs: number, withinMs = verifiedMs): void {
    const before = this.passedChallenge(name, ip, nowMs, withinMs);
    const strongest =
      before !== undefined && challenges.indexOf(before) > challenges.indexOf(challenge)
        ? before
        : challenge;
    this.#setQuick(name, ip);
    this.#setMac(name, ip);
    this.#put(strongest, nowMs, nowMs);
  }

  *entries(nowMs: number): Generator<VerifiedEntry> {
    const { words } = this.#table;
    for (const slot of this.#table.used()) {
      const state = Atomics.load(words, slot + 1);
      const challenge = challengeIn(state);
      if (challenge === undefined || endsAtMs(state) <= nowMs) continue;
      const key = Buffer.alloc(keyBytes);
      key.writeInt32LE(Atomics.load(words, slot), 0);
      for (let n = 0; n < restWords; n++) {
        key.writeInt32LE(Atomics.load(words, slot + restAt + n), 4 + 4 * n);
      }
      yield { key, challenge, passedAtMs: endsAtMs(state) - verifiedMsMax };
    }
  }

  /** Loads the entries of an earlier start; expired ones are skipped. */
  load(entries: Iterable<VerifiedEntry>, nowMs: number): void {
    for (const { key, challenge, passedAtMs } of entries) {
      const isPlausible = passedAtMs > nowMs - verifiedMsMax && passedAtMs <= nowMs + minuteMs;
      if (key.length !== keyBytes || !isPlausible) continue;
      this.#key.set(key);
      this.#put(challenge, passedAtMs, nowMs);
    }
  }

  #setQuick(name: string, ip: IpBytes): void {
    this.#quick.begin(0).add(ip, networkBytes(ip)).addName(name).end();
    this.#key.setQuick(this.#quick.low);
  }

  #setMac(name: string, ip: IpBytes): void {
    this.#key.setMac(this.#mac(ip.subarray(0, networkBytes(ip)), name.toLowerCase()));
  }

  /** 0 if the player is not known, or no longer. */
  #validState(name: string, ip: IpBytes, nowMs: number): number {
    if (this.changes === 0) return 0;
    this.#setQuick(name, ip);
    if (!this.#table.mayHave(this.#key)) return 0;
    this.#setMac(name, ip);
    const slot = this.#table.find(this.#key);
    const state = slot < 0 ? 0 : (this.#table.read(slot, this.#key) ?? 0);
    return this.#table.worthOf(state, Math.floor(nowMs / minuteMs), slot) > 0 ? state : 0;
  }

  /** The entry of `#key`. */
  #put(challenge: Challenge, passedAtMs: number, nowMs: number): void {
    const endsAtMinute = Math.ceil((passedAtMs + verifiedMsMax) / minuteMs);
    const state = (endsAtMinute << challengeBits) | (codeOfChallenge(challenge) + 1);
    const now = Math.floor(nowMs / minuteMs);
    const table = this.#table;
    for (;;) {
      const slot = table.find(this.#key);
      const before = slot < 0 ? undefined : table.read(slot, this.#key);
      const isWritten =
        before === undefined
          ? table.insert(this.#key, state, now) >= 0
          : table.replace(slot, before, state);
      if (isWritten) break;
    }
    Atomics.add(table.words, table.tail, 1);
  }
}

function endsAtMs(state: number): number {
  return (state >>> challengeBits) * minuteMs;
}

function challengeIn(state: number): Challenge | undefined {
  return challengeOfCode((state & challengeMask) - 1);
}

/** A player's key; each call overwrites the last one. */
class PlayerKey implements Key {
  high = 0;
  low = 0;
  readonly rest = new Int32Array(restWords);
  readonly #bytes = new Uint8Array(this.rest.buffer);

  /** @param bytes as an entry has them */
  set(bytes: Uint8Array): void {
    this.setQuick(new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true));
    this.setMac(bytes.subarray(4));
  }

  setQuick(quick: number): void {
    this.high = quick;
    this.low = quick;
  }

  /** @param mac at least as many bytes as the rest has */
  setMac(mac: Uint8Array): void {
    for (let n = 0; n < this.#bytes.length; n++) this.#bytes[n] = mac[n] ?? 0;
  }
}

/** IPv4 /24 or IPv6 /64. */
function networkBytes(ip: IpBytes): number {
  return ip.length === 4 ? 3 : 8;
}
