import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { type Key, SeededHash } from "@palisade/shared-tables/seeded-hash";
import { SharedHashTable, type TableLayout } from "@palisade/shared-tables/shared-hash-table";
import { TtlSet } from "@palisade/shared-tables/shared-tables";

/** Limits of the history, each with its unit. */
export const historyLimits = {
  /** How long a source that has failed a challenge is asked for more. */
  failedMs: 600_000,
  /** Failures and passes of networks count half after each of these. */
  networkPeriodMs: 900_000,
  /** The same for the versions and countries that a shield's players have. */
  playersPeriodMs: 86_400_000,
  /** Failures of a network that are more than a household's or a school's bad day. */
  failuresMin: 3,
  /** Failures of a network out of which a flood comes. */
  floodMin: 20,
  /** Failures for each pass in such a network. */
  floodFailuresPerPass: 8,
  /** The same for an autonomous system, in which there are many more players. */
  systemFailuresMin: 50,
  systemFailuresPerPass: 4,
  /** Joins after which it is known which versions and countries a shield's players have. */
  joinsMin: 50,
} as const;

const limits = historyLimits;

/** Slots of the shared tables, powers of two; 8 bytes each. */
const historySlots = { failed: 65_536, networks: 131_072, players: 32_768 } as const;

/** Passed to every thread as it is. */
export type SourceHistoryBuffers = Readonly<
  Record<keyof typeof historySlots | "seed", SharedArrayBuffer>
>;

/** The country and the autonomous system of an address, as far as they are known. */
export interface Place {
  readonly country?: string | undefined;
  readonly asn?: number | undefined;
}

/** Keeps keys of different meaning apart. */
const kind = { address: 0, network: 1, system: 2, shield: 3, version: 4, country: 5 } as const;
const seedBytes = 8;

/**
 * The memory of sources that an edge has challenged, and of the versions and countries of each
 * shield's players. All threads share it; its size is constant, and it is lost when the edge restarts.
 *
 * Failures count for all shields of the edge together: a network out of which bots come attacks one
 * shield after another. That harms no shield, because only players of that network can fail there, and
 * they are asked for more, not refused.
 */
export class SourceHistory {
  readonly #hash: SeededHash;
  readonly #failed: TtlSet;
  readonly #networks: DecayingCounts;
  readonly #players: DecayingCounts;
  readonly #number = new Uint8Array(4);
  readonly #view = new DataView(this.#number.buffer);

  /** @param seed 8 random bytes of this start */
  static allocate(
    seed: Uint8Array,
    slots: Readonly<Record<keyof typeof historySlots, number>> = historySlots,
  ): SourceHistoryBuffers {
    const shared = new SharedArrayBuffer(seedBytes);
    new Uint8Array(shared).set(seed.subarray(0, seedBytes));
    return {
      seed: shared,
      failed: TtlSet.allocate(slots.failed),
      networks: DecayingCounts.allocate(slots.networks),
      players: DecayingCounts.allocate(slots.players),
    };
  }

  constructor(buffers: SourceHistoryBuffers) {
    this.#hash = new SeededHash(new Uint8Array(buffers.seed));
    this.#failed = new TtlSet(buffers.failed, limits.failedMs);
    this.#networks = new DecayingCounts(buffers.networks, limits.networkPeriodMs);
    this.#players = new DecayingCounts(buffers.players, limits.playersPeriodMs);
  }

  /**
   * A player of this source has not passed a challenge.
   *
   * @param hasLeft they left before they had answered, as impatient players do, too: then it counts for
   *   the network alone
   */
  failed(ip: IpBytes, place: Place | undefined, hasLeft: boolean, nowMs: number): void {
    if (!hasLeft) this.#failed.renew(this.#addressKey(ip), nowMs, limits.failedMs);
    this.#count(ip, place, "bad", nowMs);
  }

  passed(ip: IpBytes, place: Place | undefined, nowMs: number): void {
    this.#count(ip, place, "good", nowMs);
  }

  /** A player has joined the shield. */
  joined(shield: Uint8Array, protocol: number, place: Place | undefined, nowMs: number): void {
    this.#players.add(this.#shieldKey(shield), "good", nowMs);
    this.#players.add(this.#versionKey(shield, protocol), "good", nowMs);
    const country = place?.country;
    if (country === undefined) return;
    this.#players.add(this.#countryKey(shield, country), "good", nowMs);
  }

  /** Whether the address (IPv6: its /64) has failed a challenge lately. */
  hasFailed(ip: IpBytes, nowMs: number): boolean {
    return this.#failed.remainingMs(this.#addressKey(ip), nowMs) > 0;
  }

  /** Challenges of a network, IPv4 /24 or IPv6 /48. */
  ofNetwork(ip: IpBytes, nowMs: number): Counts {
    return this.#networks.of(this.#networkKey(ip), nowMs);
  }

  /** Challenges of an autonomous system. */
  ofSystem(asn: number, nowMs: number): Counts {
    return this.#networks.of(this.#systemKey(asn), nowMs);
  }

  /** Whether none of the shield's many players has this version. */
  isUnusualVersion(shield: Uint8Array, protocol: number, nowMs: number): boolean {
    if (!this.#hasManyJoins(shield, nowMs)) return false;
    return goodIn(this.#players.of(this.#versionKey(shield, protocol), nowMs)) === 0;
  }

  isUnusualCountry(shield: Uint8Array, country: string, nowMs: number): boolean {
    if (!this.#hasManyJoins(shield, nowMs)) return false;
    return goodIn(this.#players.of(this.#countryKey(shield, country), nowMs)) === 0;
  }

  #hasManyJoins(shield: Uint8Array, nowMs: number): boolean {
    return goodIn(this.#players.of(this.#shieldKey(shield), nowMs)) >= limits.joinsMin;
  }

  #count(ip: IpBytes, place: Place | undefined, how: "bad" | "good", nowMs: number): void {
    this.#networks.add(this.#networkKey(ip), how, nowMs);
    if (place?.asn === undefined) return;
    this.#networks.add(this.#systemKey(place.asn), how, nowMs);
  }

  /** The line that an address is of: IPv4 /32, IPv6 /64. */
  #addressKey(ip: IpBytes): Key {
    const bytes = ip.length === 4 ? 4 : 8;
    return this.#hash.begin(kind.address).add(ip, bytes).end();
  }

  #networkKey(ip: IpBytes): Key {
    const bytes = ip.length === 4 ? 3 : 6;
    return this.#hash.begin(kind.network).add(ip, bytes).end();
  }

  #systemKey(asn: number): Key {
    return this.#hash.begin(kind.system).add(this.#bytesOf(asn)).end();
  }

  #shieldKey(shield: Uint8Array): Key {
    return this.#hash.begin(kind.shield).add(shield).end();
  }

  #versionKey(shield: Uint8Array, protocol: number): Key {
    return this.#hash.begin(kind.version).add(shield).add(this.#bytesOf(protocol)).end();
  }

  #countryKey(shield: Uint8Array, country: string): Key {
    return this.#hash.begin(kind.country).add(shield).addName(country).end();
  }

  #bytesOf(value: number): Uint8Array {
    this.#view.setUint32(0, value);
    return this.#number;
  }
}

/** The part that rules read. */
export type KnownHistory = Pick<
  SourceHistory,
  "hasFailed" | "ofNetwork" | "ofSystem" | "isUnusualVersion" | "isUnusualCountry"
>;

/** Knows of no source, for logins whose signals the log has. */
export const noHistory: KnownHistory = {
  hasFailed: () => false,
  ofNetwork: () => 0,
  ofSystem: () => 0,
  isUnusualVersion: () => false,
  isUnusualCountry: () => false,
};

/** Whether challenges of a network fail more often than players do. */
export function failsOften(counts: Counts): boolean {
  return badIn(counts) >= limits.failuresMin && badIn(counts) > goodIn(counts);
}

/** Whether hardly anything but bots comes out of a network. */
export function isFlooding(counts: Counts): boolean {
  return (
    badIn(counts) >= limits.floodMin && badIn(counts) > limits.floodFailuresPerPass * goodIn(counts)
  );
}

/** The same as `failsOften`, for an autonomous system. */
export function systemFailsOften(counts: Counts): boolean {
  return (
    badIn(counts) >= limits.systemFailuresMin &&
    badIn(counts) > limits.systemFailuresPerPass * goodIn(counts)
  );
}

/** A bucket: one cache line. */
const layout: TableLayout = { reach: 8 };

// A state is the period in which it was written and two counts.
const countBits = 9;
const countMax = (1 << countBits) - 1;
const periodBits = 32 - 2 * countBits;
const periods = 1 << periodBits;

/** Both counts of a key; read them with `badIn` and `goodIn`. */
export type Counts = number;

export function badIn(counts: Counts): number {
  return counts >>> countBits;
}

export function goodIn(counts: Counts): number {
  return counts & countMax;
}

/**
 * Two counts for each key, of what went badly and of what went well. Both halve with every period, so
 * that the past weighs less than the present and is forgotten. All threads share them.
 *
 * If a bucket is full, the key with the lowest counts makes room: a source that has failed often
 * stays, however many others fail once.
 */
export class DecayingCounts {
  readonly #table: SharedHashTable;
  readonly #periodMs: number;

  /** @param slots a power of two; 8 bytes each */
  static allocate(slots: number): SharedArrayBuffer {
    return SharedHashTable.allocate(slots, layout);
  }

  constructor(buffer: SharedArrayBuffer, periodMs: number) {
    this.#table = new SharedHashTable(buffer, layout, worthIn);
    this.#periodMs = periodMs;
  }

  /** 0 for a key that is not known. */
  of(key: Key, nowMs: number): Counts {
    const slot = this.#table.find(key);
    const state = slot < 0 ? undefined : this.#table.read(slot, key);
    return state === undefined ? 0 : countsIn(state, this.#periodAt(nowMs));
  }

  /** Counts one more of either kind, up to 511. */
  add(key: Key, kind: "bad" | "good", nowMs: number): void {
    const period = this.#periodAt(nowMs);
    for (;;) {
      const slot = this.#table.find(key);
      if (slot < 0) {
        if (this.#table.insert(key, stateOf(period, oneMore(0, kind)), period) >= 0) return;
        continue;
      }
      const state = this.#table.read(slot, key);
      if (state === undefined) continue;
      const after = stateOf(period, oneMore(countsIn(state, period), kind));
      if (state === after || this.#table.replace(slot, state, after)) return;
    }
  }

  #periodAt(nowMs: number): number {
    return Math.floor(nowMs / this.#periodMs) % periods;
  }
}

function oneMore(counts: Counts, kind: "bad" | "good"): Counts {
  const bad = badIn(counts);
  const good = goodIn(counts);
  return kind === "bad"
    ? (Math.min(bad + 1, countMax) << countBits) | good
    : (bad << countBits) | Math.min(good + 1, countMax);
}

function stateOf(period: number, counts: Counts): number {
  return (period << (2 * countBits)) | counts;
}

/** The counts after the periods that have passed since. */
function countsIn(state: number, period: number): Counts {
  // Behind by one: another thread has reached the next period before this one.
  const age = (period - (state >>> (2 * countBits)) + periods) % periods;
  const halvings = age === periods - 1 ? 0 : age;
  if (halvings > countBits) return 0;
  const bad = ((state >>> countBits) & countMax) >> halvings;
  const good = (state & countMax) >> halvings;
  return (bad << countBits) | good;
}

function worthIn(state: number, period: number): number {
  const counts = countsIn(state, period);
  return badIn(counts) + goodIn(counts);
}
