import {
  factCharactersMax,
  factNameCharactersMax,
  loginFactsMax,
  type LoginEntry,
  type LoginVerdict,
} from "@palisade/contract/edge/telemetry";
import { formatIp, type IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { LoginSource } from "#src/ports.ts";
import { singleThreadQuota } from "./per-second-quota.ts";
import { LoginSampler } from "./login-sampler.ts";

/** Entries that wait for the control plane; the oldest go first. Some 15 MB at worst. */
const entriesMax = 20_000;

// As the contract has them.
const playerCharactersMax = 16;
const hostCharactersMax = 255;

/** One login as the session knows it; made into an entry only where it is kept. */
export interface FinishedLogin {
  readonly shieldId: string;
  readonly trace: string;
  readonly verdict: LoginVerdict;
  /** `verdict` would have been, but for shadow mode. */
  readonly shadow: boolean;
  readonly ip: IpBytes;
  /** As the client says. */
  readonly player: string;
  readonly protocol: number;
  readonly host: string;
  readonly facts?: Readonly<Record<string, string>> | undefined;
}

/** What one thread has to tell, since it was asked last. */
export interface LoginLogPart {
  readonly entries: readonly LoginEntry[];
  readonly leftOut: number;
  readonly dropped: number;
}

/**
 * Logins for the owners' logs. Those let in and those refused are sampled apart, so that a flood
 * of bots leaves no player out. Where a control plane is away for long the oldest are given up.
 */
export class LoginLog implements LoginSource {
  readonly #nowMs: () => number;
  readonly #admitted: LoginSampler;
  readonly #refused: LoginSampler;
  /** Oldest first. */
  readonly #entries = new Set<LoginEntry>();
  /** Not written down, since the start of the program. */
  leftOut = 0;
  /** Written down and given up, since nobody fetched them. */
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

  /** Exactly once for every login that has found a shield, when it is known what became of it. */
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

  /** Takes everything away, for the thread that tells of it. */
  takeAll(): LoginLogPart {
    const { leftOut, dropped } = this;
    this.leftOut = this.dropped = 0;
    return { entries: this.take(Number.POSITIVE_INFINITY), leftOut, dropped };
  }

  /** Takes over what another thread has written down. */
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
  // One place is kept for what was left out.
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

/** What a client says goes to owners' screens and files: printable ASCII, and not too much of it. */
function printable(text: string, charactersMax: number): string {
  return text
    .slice(0, charactersMax * 4)
    .replace(/[^\x20-\x7e]/g, "")
    .slice(0, charactersMax);
}
