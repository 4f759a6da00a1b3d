import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { TtlSet, FixedWindowCounter } from "@palisade/shared-tables/shared-tables";
import { type Key, SeededHash } from "@palisade/shared-tables/seeded-hash";

/** Limits of mitigation, each with its unit. Limits that owners set are in the shield's rules. */
export const mitigationLimits = {
  /** Window of the rates of sources: long enough that a whole household's joins are spread in it. */
  rateWindowMs: 10_000,
  /**
   * Logins in a window of one IPv4 address or IPv6 /64, from level `low` on. A school or a tournament
   * behind one address comes in within a minute; the owner lists its address.
   */
  addressQuiet: 20,
  /** The same during an attack, for unknown players: a join, a verification, a second try. */
  addressAttack: 5,
  /** The same for one IPv4 /24 or IPv6 /48: players of one mobile carrier share it. */
  networkQuiet: 100,
  networkAttack: 20,
  /** Window of `logins_per_second`. */
  secondMs: 1_000,
  /** Longest rejoin cooldown an owner can set. */
  cooldownMaxMs: 30_000,
  /** One connection per name: longer than a dial or a verification takes, should its end be missed. */
  nameInUseMs: 30_000,
  /**
   * A ping from the player's network counts as theirs for as long as they look at their server
   * list.
   */
  pingSeenMs: 600_000,
  /** How long a name counts as one of the shield's recent logins. */
  nameRecentMs: 600_000,
  /** Window in which new names are counted. */
  nameWindowMs: 60_000,
  /** New names in a window, of one shield, that are a burst: more than one each two seconds. */
  newNamesMax: 40,
  /** Different names of one stem (`Bot_1`, `bot22`) in a window; a family has fewer. */
  stemNamesMax: 5,
  /** Names of one beginning and length in a window, while there is an attack or a burst. */
  alikeNamesMax: 8,
} as const;

/** Slots of the shared tables, powers of two; 8 bytes each. */
const memorySlots = {
  /** Shields with a login in a second. */
  shields: 8_192,
  /** Addresses and networks with a login in `rateWindowMs`. */
  sources: 131_072,
  /** Names and addresses in `cooldownMaxMs`. */
  cooldowns: 262_144,
  namesInUse: 32_768,
  pings: 131_072,
  names: 131_072,
  /** Stems and beginnings of names. */
  alike: 65_536,
} as const;

/** Passed to every thread as it is. */
export type LoginMemoryBuffers = Readonly<
  Record<keyof typeof memorySlots | "seed", SharedArrayBuffer>
>;

/** Keeps keys of different meaning apart. */
const kind = {
  shield: 0,
  address: 1,
  network: 2,
  name: 3,
  newNames: 4,
  stem: 5,
  alike: 6,
} as const;

const seedBytes = 8;

/**
 * Memory of recent logins, shared by all threads of an edge and constant in size. All of it is kept
 * by shield: logins to one shield never affect another. Times come from a clock that all threads
 * share.
 */
export class LoginMemory {
  readonly #hash: SeededHash;
  readonly #shields: FixedWindowCounter;
  readonly #sources: FixedWindowCounter;
  readonly #alike: FixedWindowCounter;
  readonly #cooldowns: TtlSet;
  readonly #namesInUse: TtlSet;
  readonly #pings: TtlSet;
  readonly #names: TtlSet;

  /** @param seed 8 random bytes of this start */
  static allocate(
    seed: Uint8Array,
    slots: Readonly<Record<keyof typeof memorySlots, number>> = memorySlots,
  ): LoginMemoryBuffers {
    const shared = new SharedArrayBuffer(seedBytes);
    new Uint8Array(shared).set(seed.subarray(0, seedBytes));
    return {
      seed: shared,
      shields: FixedWindowCounter.allocate(slots.shields),
      sources: FixedWindowCounter.allocate(slots.sources),
      alike: FixedWindowCounter.allocate(slots.alike),
      cooldowns: TtlSet.allocate(slots.cooldowns),
      namesInUse: TtlSet.allocate(slots.namesInUse),
      pings: TtlSet.allocate(slots.pings),
      names: TtlSet.allocate(slots.names),
    };
  }

  constructor(buffers: LoginMemoryBuffers) {
    this.#hash = new SeededHash(new Uint8Array(buffers.seed));
    this.#shields = new FixedWindowCounter(buffers.shields, mitigationLimits.secondMs);
    this.#sources = new FixedWindowCounter(buffers.sources, mitigationLimits.rateWindowMs);
    this.#alike = new FixedWindowCounter(buffers.alike, mitigationLimits.nameWindowMs);
    this.#cooldowns = new TtlSet(buffers.cooldowns, mitigationLimits.cooldownMaxMs);
    this.#namesInUse = new TtlSet(buffers.namesInUse, mitigationLimits.nameInUseMs);
    this.#pings = new TtlSet(buffers.pings, mitigationLimits.pingSeenMs);
    this.#names = new TtlSet(buffers.names, mitigationLimits.nameRecentMs);
  }

  /** Logins of the shield in the running second. */
  loginsOf(shield: Uint8Array, nowMs: number): number {
    return this.#shields.count(this.#shieldKey(kind.shield, shield), nowMs);
  }

  /** False if the limit is reached. */
  countLogin(shield: Uint8Array, limit: number, nowMs: number): boolean {
    return this.#shields.hit(this.#shieldKey(kind.shield, shield), nowMs, limit);
  }

  /** Logins of an address or of the network around it in the running window. */
  rateOf(shield: Uint8Array, source: "address" | "network", ip: IpBytes, nowMs: number): number {
    return this.#sources.count(this.#sourceKey(shield, source, ip), nowMs);
  }

  countSource(
    shield: Uint8Array,
    source: "address" | "network",
    ip: IpBytes,
    limit: number,
    nowMs: number,
  ): boolean {
    return this.#sources.hit(this.#sourceKey(shield, source, ip), nowMs, limit);
  }

  /** How long the name or the address still has to wait, in ms. */
  cooldownMs(shield: Uint8Array, name: string, ip: IpBytes, nowMs: number): number {
    const ofName = this.#cooldowns.remainingMs(this.#nameKey(kind.name, shield, name), nowMs);
    const ofAddress = this.#cooldowns.remainingMs(this.#sourceKey(shield, "address", ip), nowMs);
    return Math.max(ofName, ofAddress);
  }

  /** False if either still has to wait. */
  startCooldown(
    shield: Uint8Array,
    name: string,
    ip: IpBytes,
    lastsMs: number,
    nowMs: number,
  ): boolean {
    const ofName = this.#nameKey(kind.name, shield, name);
    if (!this.#cooldowns.take(ofName, nowMs, lastsMs)) return false;
    return this.#cooldowns.take(this.#sourceKey(shield, "address", ip), nowMs, lastsMs);
  }

  isNameInUse(shield: Uint8Array, name: string, nowMs: number): boolean {
    return this.#namesInUse.remainingMs(this.#nameKey(kind.name, shield, name), nowMs) > 0;
  }

  useName(shield: Uint8Array, name: string, nowMs: number): boolean {
    return this.#namesInUse.take(
      this.#nameKey(kind.name, shield, name),
      nowMs,
      mitigationLimits.nameInUseMs,
    );
  }

  /** The connection under this name has become a player's, or has ended. */
  releaseName(shield: Uint8Array, name: string): void {
    this.#namesInUse.release(this.#nameKey(kind.name, shield, name));
  }

  /** The shield's status was asked for. By network: many players' addresses change within theirs. */
  sawPing(shield: Uint8Array, ip: IpBytes, nowMs: number): void {
    this.#pings.renew(this.#pingKey(shield, ip), nowMs, mitigationLimits.pingSeenMs);
  }

  hasPinged(shield: Uint8Array, ip: IpBytes, nowMs: number): boolean {
    return this.#pings.remainingMs(this.#pingKey(shield, ip), nowMs) > 0;
  }

  /** Takes note of a login's name, once in a while for each. */
  sawName(shield: Uint8Array, name: string, nowMs: number): void {
    const key = this.#nameKey(kind.name, shield, name);
    if (!this.#names.take(key, nowMs, mitigationLimits.nameRecentMs)) return;
    const { newNamesMax, stemNamesMax, alikeNamesMax } = mitigationLimits;
    this.#alike.hit(this.#shieldKey(kind.newNames, shield), nowMs, newNamesMax);
    const stem = stemOf(name);
    if (stem !== undefined) {
      this.#alike.hit(this.#nameKey(kind.stem, shield, stem), nowMs, stemNamesMax);
    }
    const beginning = beginningOf(name);
    if (beginning !== undefined) {
      this.#alike.hit(this.#nameKey(kind.alike, shield, beginning), nowMs, alikeNamesMax);
    }
  }

  /** Whether `sawName` would count it. */
  isNewName(shield: Uint8Array, name: string, nowMs: number): boolean {
    return this.#names.remainingMs(this.#nameKey(kind.name, shield, name), nowMs) <= 0;
  }

  /**
   * More new names than players of a server are.
   *
   * @param more those that are still to be counted
   */
  isBurst(shield: Uint8Array, more: number, nowMs: number): boolean {
    const key = this.#shieldKey(kind.newNames, shield);
    return this.#alike.count(key, nowMs) + more >= mitigationLimits.newNamesMax;
  }

  /** Whether the name is one of many that differ in their numbers. @param more as above */
  isNumbered(shield: Uint8Array, name: string, more: number, nowMs: number): boolean {
    const stem = stemOf(name);
    if (stem === undefined) return false;
    const count = this.#alike.count(this.#nameKey(kind.stem, shield, stem), nowMs);
    return count + more >= mitigationLimits.stemNamesMax;
  }

  /** Whether the name is one of many that begin alike and are equally long. @param more as above */
  isAlike(shield: Uint8Array, name: string, more: number, nowMs: number): boolean {
    const beginning = beginningOf(name);
    if (beginning === undefined) return false;
    const count = this.#alike.count(this.#nameKey(kind.alike, shield, beginning), nowMs);
    return count + more >= mitigationLimits.alikeNamesMax;
  }

  #shieldKey(of: number, shield: Uint8Array): Key {
    return this.#hash.begin(of).add(shield).end();
  }

  #nameKey(of: number, shield: Uint8Array, name: string): Key {
    return this.#hash.begin(of).add(shield).addName(name).end();
  }

  #sourceKey(shield: Uint8Array, source: "address" | "network", ip: IpBytes): Key {
    const bytes = source === "address" ? addressBytes(ip) : networkBytes(ip);
    return this.#hash.begin(kind[source]).add(shield).add(ip, bytes).end();
  }

  /** IPv4 /24 or IPv6 /64. */
  #pingKey(shield: Uint8Array, ip: IpBytes): Key {
    return this.#hash
      .begin(kind.network)
      .add(shield)
      .add(ip, ip.length === 4 ? 3 : 8)
      .end();
  }
}

/** One line: the IPv4 address, or the /64 out of which it can take any address. */
function addressBytes(ip: IpBytes): number {
  return ip.length === 4 ? 4 : 8;
}

/** The lines around it: /24 or /48. */
function networkBytes(ip: IpBytes): number {
  return ip.length === 4 ? 3 : 6;
}

/** Letters without which a stem says nothing. */
const stemLettersMin = 3;

/** The common part of numbered names; undefined if it is too short, or if there is no number. */
export function stemOf(name: string): string | undefined {
  if (!/\d/.test(name)) return undefined;
  const letters = name.replace(/[\d_]+/g, "");
  return letters.length < stemLettersMin ? undefined : letters;
}

const beginningCharacters = 5;

/** The common part of names made of one word and random characters: beginning and length. */
export function beginningOf(name: string): string | undefined {
  if (name.length <= beginningCharacters) return undefined;
  return `${name.slice(0, beginningCharacters)}${String.fromCharCode(name.length)}`;
}
