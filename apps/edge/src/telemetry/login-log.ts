import { SeededHash } from "@palisade/shared-tables/seeded-hash";
import { type PerSecondQuota, singleThreadQuota } from "@palisade/shared-tables/shared-tables";
import {
  factCharactersMax,
  factNameCharactersMax,
  loginFactsMax,
  loginsPerShieldMax,
} from "@palisade/contract/edge/plain-values";
import type { LoggedAttempt, LoginEntry, LoginVerdict } from "@palisade/contract/edge/telemetry";
import { formatIp, type IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Logger, LoginSource } from "#src/ports.ts";
import type { PlayerJoin } from "./minute-details.ts";

/** Crockford's base 32: no I, L, O, U, so that a code survives being read aloud. */
const alphabet = Buffer.from("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
const characters = 8;
const numberBytes = 8;

/**
 * The codes that refused players can quote and that are in the edge's log. A code is a keyed hash of
 * the connection's number: however many of them a player has read, they cannot tell the next one, nor
 * how many connections there were.
 */
export class TraceCodes {
  readonly #hash: SeededHash;
  readonly #number = new Uint8Array(numberBytes);
  readonly #view = new DataView(this.#number.buffer);
  readonly #code = Buffer.alloc(characters);

  /** @param seed 8 random bytes of this start */
  constructor(seed: Uint8Array) {
    this.#hash = new SeededHash(seed);
  }

  /** @param connection its number since the edge started */
  of(connection: number): string {
    this.#view.setFloat64(0, connection);
    const { high: above, low: below } = this.#hash.begin(0).add(this.#number).end();
    let low = below;
    let high = above;
    for (let index = 0; index < characters; index++) {
      this.#code[index] = alphabet[low & 31] ?? 0;
      low = (low >>> 5) | ((high & 31) << 27);
      high >>>= 5;
    }
    // One string, and not one for each character.
    return this.#code.toString("latin1");
  }
}

/** Lines about single connections that all threads write in a second; the others are only counted. */
const linesPerSecondMax = 20;

/**
 * Log of single connections: complete in quiet times, a sample under a flood. The lines of a second wait
 * for its end, so that they wake the thread that writes them once.
 */
export class SampledLog {
  readonly #log: Logger;
  readonly #quota: PerSecondQuota;
  #lines: (readonly [facts: object, message: string])[] = [];
  #left = 0;
  /** Since the start of the program. */
  leftOut = 0;

  constructor(log: Logger, quota = singleThreadQuota(Date.now)) {
    this.#log = log;
    this.#quota = quota;
  }

  /** @param facts called only where the line is written */
  info(facts: () => object, message: string): void {
    if (this.#quota.take("line", linesPerSecondMax)) {
      this.#lines.push([facts(), message]);
      return;
    }
    this.#left++;
    this.leftOut++;
  }

  /** Writes what waits: once a second, and when the thread stops. */
  tick(): void {
    for (const [facts, message] of this.#lines) this.#log.info(facts, message);
    this.#lines = [];
    if (this.#left > 0) this.#log.info({ lines: this.#left }, "connection lines left out");
    this.#left = 0;
  }

  /** Takes the count away, for the thread that tells of it. */
  takeLeftOut(): number {
    const { leftOut } = this;
    this.leftOut = 0;
    return leftOut;
  }
}

/** Entries that wait for the control plane; the oldest are dropped first. Some 15 MB at worst. */
const entriesMax = 20_000;

/** Players whose version and network are counted, between two reports of a thread. */
const joinsMax = 20_000;

// As the contract has them.
const playerCharactersMax = 16;
const hostCharactersMax = 255;

/** One finished login; it becomes an entry only if it is kept. */
export interface FinishedLogin {
  readonly shieldId: string;
  readonly verdict: LoginVerdict;
  /** The login was let in by shadow mode; `verdict` is what it would have been. */
  readonly shadow: boolean;
  readonly ip: IpBytes;
  /** As the client says. */
  readonly player: string;
  readonly protocol: number;
  /** Its protocol is no number of Java. */
  readonly isBedrock?: boolean;
  readonly host: string;
  readonly facts?: Readonly<Record<string, string>> | undefined;
}

/** Tells what the rules have read of a login. It is asked only for logins that are kept. */
export interface AttemptSource {
  /** The code that its player can quote. */
  readonly trace: string;
  loggedAttempt(verdict: LoginVerdict): LoggedAttempt;
}

/** Entries and counts of one thread since the last call. */
export interface LoginLogPart {
  readonly entries: readonly LoginEntry[];
  readonly leftOut: number;
  readonly dropped: number;
  /** Everyone who has joined, whether or not there is an entry, for `readJoins`. */
  readonly joins: Uint8Array;
}

const joinBytesFirst = 4_096;
/** A shield's id, a version, an address and a name. */
const joinBytesMax = 128;
/** In place of a version of Java. */
const bedrockVersion = "bedrock";

/**
 * Players who have joined since the last report, as lines of text. Thousands may do so in a second, and as
 * objects all of them would be in the heap until then, and be copied by each collection.
 */
class JoinLines {
  #bytes = Buffer.alloc(joinBytesFirst);
  #length = 0;
  #count = 0;

  add({ shieldId, player, protocol, isBedrock, ip }: FinishedLogin): void {
    if (this.#count >= joinsMax) return;
    if (this.#length + joinBytesMax > this.#bytes.length) this.#grow();
    const name = printable(player, playerCharactersMax);
    const line = `${shieldId} ${isBedrock === true ? bedrockVersion : protocol} ${formatIp(ip)} ${name}\n`;
    this.#length += this.#bytes.write(line, this.#length, "latin1");
    this.#count++;
  }

  takeAll(): Uint8Array {
    const lines = this.#bytes.subarray(0, this.#length);
    if (this.#length > 0) this.#bytes = Buffer.alloc(joinBytesFirst);
    this.#length = this.#count = 0;
    return lines;
  }

  #grow(): void {
    const larger = Buffer.alloc(2 * this.#bytes.length);
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}

/**
 * One after the other, so that thousands of them do not grow old in the heap.
 *
 * @param lines of `LoginLogPart.joins`
 */
export function* readJoins(lines: Uint8Array): Generator<PlayerJoin> {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString("latin1");
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    const [shieldId = "", protocol = "", ip = "", ...name] = text.slice(start, end).split(" ");
    const version = protocol === bedrockVersion ? null : Number(protocol);
    yield { shieldId, protocol: version, ip, player: name.join(" ") };
    start = end + 1;
  }
}

/**
 * Logins for the owners' logs. Admitted and refused ones are sampled apart, so that a flood of bots
 * hides no player. While the control plane is away for long, the oldest entries are dropped.
 */
export class LoginLog implements LoginSource {
  readonly #nowMs: () => number;
  readonly #admitted: LoginSampler;
  readonly #refused: LoginSampler;
  /** Oldest first. */
  readonly #entries = new Set<LoginEntry>();
  readonly #joins = new JoinLines();
  /** Logins not logged, since the start of the program. */
  leftOut = 0;
  /** Entries dropped before they were fetched. */
  dropped = 0;

  /** @param quota of all threads together */
  constructor(nowMs: () => number, quota = singleThreadQuota(nowMs)) {
    this.#nowMs = nowMs;
    this.#admitted = new LoginSampler(quota, "joined");
    this.#refused = new LoginSampler(quota, "refused");
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Called exactly once for every login that has found a shield, when its outcome is known. */
  note(login: FinishedLogin, attempt: AttemptSource): void {
    const hasJoined = login.verdict === "joined" || login.shadow;
    if (hasJoined) this.#joins.add(login);
    const isAdmitted = login.verdict === "joined" || login.verdict === "verified";
    const before = (isAdmitted ? this.#admitted : this.#refused).take(login.shieldId);
    if (before === undefined) this.leftOut++;
    else this.#keep(entryOf(login, attempt, before, this.#nowMs()));
  }

  /** Takes the oldest away. */
  take(max: number): LoginEntry[] {
    const taken: LoginEntry[] = [];
    for (const entry of this.#entries) {
      if (taken.length === max) break;
      taken.push(entry);
      this.#entries.delete(entry);
    }
    return taken;
  }

  /** Takes all entries, for the thread that reports them. */
  takeAll(): LoginLogPart {
    const { leftOut, dropped } = this;
    this.leftOut = this.dropped = 0;
    const joins = this.#joins.takeAll();
    return { entries: this.take(Number.POSITIVE_INFINITY), leftOut, dropped, joins };
  }

  /** Adds the entries of another thread. */
  add({ entries, leftOut, dropped }: Omit<LoginLogPart, "joins">): void {
    this.leftOut += leftOut;
    this.dropped += dropped;
    for (const entry of entries) this.#keep(entry);
  }

  #keep(entry: LoginEntry): void {
    this.#entries.add(entry);
    if (this.#entries.size <= entriesMax) return;
    for (const oldest of this.#entries) {
      this.#entries.delete(oldest);
      this.dropped++;
      return;
    }
  }
}

function entryOf(
  login: FinishedLogin,
  source: AttemptSource,
  leftOut: number,
  nowMs: number,
): LoginEntry {
  const { vpn, ...attempt } = source.loggedAttempt(login.verdict);
  return {
    at: new Date(nowMs).toISOString(),
    shield_id: login.shieldId,
    trace: source.trace,
    verdict: login.verdict,
    shadow: login.shadow,
    ip: formatIp(login.ip),
    player: printable(login.player, playerCharactersMax),
    protocol: login.protocol,
    host: printable(login.host, hostCharactersMax),
    facts: { ...printableFacts(login.facts), ...(leftOut > 0 && { left_out: String(leftOut) }) },
    attempt: vpn === undefined ? attempt : { ...attempt, vpn: printableFacts(vpn) },
  };
}

function printableFacts(facts: Readonly<Record<string, string>> = {}): Record<string, string> {
  // One place is left for the number of skipped logins.
  const given = Object.entries(facts).slice(0, loginFactsMax - 1);
  return Object.fromEntries(
    given.map(([name, value]) => [
      printable(name, factNameCharactersMax),
      printable(value, factCharactersMax),
    ]),
  );
}

/**
 * Text from clients is shown on owners' screens and written to files: only printable ASCII, up to a
 * limit.
 */
function printable(text: string, charactersMax: number): string {
  return text
    .slice(0, charactersMax * 4)
    .replace(/[^\x20-\x7e]/g, "")
    .slice(0, charactersMax);
}

/** Logins kept of all shields together in a second. */
export const loginsPerEdgeMax = 200;
/**
 * Beyond that the first ones of each shield are kept, so that a flood on one hides no player of
 * another.
 */
const firstsPerShieldMax = 2;
const firstsPerEdgeMax = 100;
/** Every nth of the others is kept. */
export const sampleOneIn = 64;
/** Limit of that sample; it takes no place of the others. */
const samplePerEdgeMax = 100;
/** Shields of which some were left out. */
const shieldsMax = 10_000;

/**
 * Chooses which logins are logged: all of them in quiet times, a sample under a flood. All threads
 * together count what is kept in a second; each reports the logins it has skipped itself.
 */
export class LoginSampler {
  readonly #quota: PerSecondQuota;
  readonly #of: "joined" | "refused";
  /** By shield: left out since one was kept last. */
  readonly #left = new Map<string, number>();
  #beyond = 0;

  constructor(quota: PerSecondQuota, of: "joined" | "refused") {
    this.#quota = quota;
    this.#of = of;
  }

  /** @returns how many of the shield were left out before this one; undefined: so is this one */
  take(shieldId: string): number | undefined {
    const left = this.#left.get(shieldId) ?? 0;
    if (!this.#isKept(shieldId)) {
      if (left > 0 || this.#left.size < shieldsMax) this.#left.set(shieldId, left + 1);
      return undefined;
    }
    if (left > 0) this.#left.delete(shieldId);
    return left;
  }

  #isKept(shieldId: string): boolean {
    const quota = this.#quota;
    const of = this.#of;
    if (quota.take(of, loginsPerShieldMax, shieldId)) {
      if (quota.take(of, loginsPerEdgeMax)) return true;
      const isFirst = quota.taken(of, shieldId) <= firstsPerShieldMax;
      if (isFirst && quota.take(of, firstsPerEdgeMax, "firsts")) return true;
    }
    return ++this.#beyond % sampleOneIn === 0 && quota.take(of, samplePerEdgeMax, "sample");
  }
}
