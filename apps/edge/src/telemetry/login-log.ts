import {
  factCharactersMax,
  factNameCharactersMax,
  loginFactsMax,
} from "@palisade/contract/edge/plain-values";
import type { LoginEntry, LoginVerdict } from "@palisade/contract/edge/telemetry";
import { formatIp, type IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { LoginSource } from "#src/ports.ts";
import { singleThreadQuota } from "./per-second-quota.ts";
import { LoginSampler } from "./login-sampler.ts";

/** Entries that wait for the control plane; the oldest are dropped first. Some 15 MB at worst. */
const entriesMax = 20_000;

// As the contract has them.
const playerCharactersMax = 16;
const hostCharactersMax = 255;

/** One finished login; it becomes an entry only if it is kept. */
export interface FinishedLogin {
  readonly shieldId: string;
  readonly trace: string;
  readonly verdict: LoginVerdict;
  /** The login was let in by shadow mode; `verdict` is what it would have been. */
  readonly shadow: boolean;
  readonly ip: IpBytes;
  /** As the client says. */
  readonly player: string;
  readonly protocol: number;
  readonly host: string;
  readonly facts?: Readonly<Record<string, string>> | undefined;
}

/** Entries and counts of one thread since the last call. */
export interface LoginLogPart {
  readonly entries: readonly LoginEntry[];
  readonly leftOut: number;
  readonly dropped: number;
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
  note(login: FinishedLogin): void {
    const isAdmitted = login.verdict === "joined" || login.verdict === "verified";
    const before = (isAdmitted ? this.#admitted : this.#refused).take(login.shieldId);
    if (before === undefined) this.leftOut++;
    else this.#keep(entryOf(login, before, this.#nowMs()));
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
    return { entries: this.take(Number.POSITIVE_INFINITY), leftOut, dropped };
  }

  /** Adds the entries of another thread. */
  add({ entries, leftOut, dropped }: LoginLogPart): void {
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

function entryOf(login: FinishedLogin, leftOut: number, nowMs: number): LoginEntry {
  // One place is left for the number of skipped logins.
  const given = Object.entries(login.facts ?? {}).slice(0, loginFactsMax - 1);
  const facts = given.map(([name, value]) => [
    printable(name, factNameCharactersMax),
    printable(value, factCharactersMax),
  ]);
  return {
    at: new Date(nowMs).toISOString(),
    shield_id: login.shieldId,
    trace: login.trace,
    verdict: login.verdict,
    shadow: login.shadow,
    ip: formatIp(login.ip),
    player: printable(login.player, playerCharactersMax),
    protocol: login.protocol,
    host: printable(login.host, hostCharactersMax),
    facts: { ...Object.fromEntries(facts), ...(leftOut > 0 && { left_out: String(leftOut) }) },
  };
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
