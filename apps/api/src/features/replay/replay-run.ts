import { randomBytes } from "node:crypto";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import type { ReplayOutcome } from "@palisade/contract/http/replay";
import { canBeAsked } from "@palisade/login-rules/askable";
import {
  type LoginAttempt,
  type ProtectionState,
  type Refusal,
  refusalOf,
} from "@palisade/login-rules/login-attempt";
import { LoginMemory } from "@palisade/login-rules/login-memory";
import { noHistory } from "@palisade/login-rules/source-history";
import { strongestChallenge, tooLarge } from "@palisade/login-rules/login-rules";
import {
  asksPlayer,
  countVerdict,
  decideBeforeCookie,
  decideLogin,
  type LoginRules,
  type Verdict,
} from "@palisade/login-rules/login-verdict";
import type { Challenge } from "@palisade/login-rules/shared/verified-players";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Place } from "@palisade/login-rules/source-history";
import type { AttackTimes } from "./attack-times.ts";
import { failsToo, type ReplayedAttempt } from "./replayed-login.ts";

export interface Replayed {
  readonly outcome: ReplayOutcome;
  /** Undefined for a player who is not refused. */
  readonly refusal: RefusalReason | undefined;
  /** The challenge that the player would have had to pass. */
  readonly challenge?: Challenge;
}

/** A log has far fewer logins in a window than an edge has room for. */
const slots = {
  shields: 64,
  sources: 8_192,
  cooldowns: 8_192,
  namesInUse: 2_048,
  pings: 64,
  names: 32_768,
  alike: 16_384,
} as const;

/** The memory of one edge; whether the network had pinged is a fact of the login. */
class ReplayMemory extends LoginMemory {
  hasPingedNow = true;

  override hasPinged(): boolean {
    return this.hasPingedNow;
  }
}

interface HeldName {
  readonly name: string;
  readonly untilMs: number;
}

/** One edge as the replay has it: limits hold for each by itself. */
interface ReplayedEdge {
  readonly memory: ReplayMemory;
  readonly state: ProtectionState;
  vpn: Refusal | undefined;
  place: Place | undefined;
  held: HeldName[];
}

interface VerifiedPlayer {
  readonly challenge: Challenge;
  readonly untilMs: number;
}

/** Decides logins again, in the order of their times, under one shield's rules. */
export class ReplayRun {
  readonly #rules: LoginRules;
  readonly #attacks: AttackTimes;
  readonly #edges = new Map<string, ReplayedEdge>();
  /** Players who would have been verified in the replay. */
  readonly #verified = new Map<string, VerifiedPlayer>();

  constructor(rules: LoginRules, attacks: AttackTimes) {
    this.#rules = rules;
    this.#attacks = attacks;
  }

  decide(attempt: ReplayedAttempt): Replayed {
    const { entry, facts, decidedAtMs: nowMs, endedAtMs } = attempt;
    const edge = this.#edgeOf(entry.edgeId);
    const { shield } = this.#rules.mitigation;
    edge.held = edge.held.filter(({ name, untilMs }) => {
      if (untilMs > nowMs) return true;
      edge.memory.releaseName(shield, name);
      return false;
    });
    edge.vpn = attempt.vpn;
    edge.place = attempt.place;
    edge.memory.hasPingedNow = attempt.hasPinged;
    const login = { ...facts, attack: this.#attacks.statusAt(attempt) };
    const verdict = this.#verdictOn(attempt, login, edge.state);
    if (verdict.kind === "refuse") return refused(verdict.refusal.reason);
    if (verdict.holdsName) {
      if (endedAtMs > nowMs) edge.held.push({ name: facts.name, untilMs: endedAtMs });
      else edge.memory.releaseName(shield, facts.name);
    }
    if (verdict.kind === "forward") return outcomeOf(entry.verdict);
    return this.#challenge(attempt, verdict.challenge);
  }

  /** Counts the login where the edge would. */
  #verdictOn(
    { hidCookie, isUnread, decidedAtMs: nowMs }: ReplayedAttempt,
    login: LoginAttempt,
    state: ProtectionState,
  ): Verdict {
    const rules = this.#rules;
    if (hidCookie && !rules.mitigation.shadow && asksPlayer(rules.mitigation, login)) {
      const refusal = decideBeforeCookie(login, rules, state, nowMs) ?? noCookie;
      return { kind: "refuse", refusal };
    }
    const decided = decideLogin(login, rules, state, nowMs);
    if (decided.kind === "refuse" || !isUnread) return countVerdict(decided);
    return { kind: "refuse", refusal: tooLarge(login.frameBytes) };
  }

  #challenge(attempt: ReplayedAttempt, challenge: Challenge): Replayed {
    const { failure, entry } = attempt;
    if (failure !== undefined && failsToo(failure, challenge)) {
      const isOfProfile = challenge === "premium" && this.#rules.mitigation.secure_profiles;
      const isUnpaid = failure.fault === "not-premium";
      return refused(isOfProfile && isUnpaid ? "secure_profiles" : "bot_check");
    }
    this.#verify(attempt, challenge);
    const joined = outcomeOf(entry.verdict);
    return joined.outcome === "refused"
      ? joined
      : { outcome: "verify", refusal: undefined, challenge };
  }

  #verify({ facts, endedAtMs }: ReplayedAttempt, challenge: Challenge): void {
    const key = playerKey(facts.name, facts.ip);
    const before = this.#verified.get(key)?.challenge;
    this.#verified.set(key, {
      challenge: strongestChallenge(before, challenge) ?? challenge,
      untilMs: endedAtMs + this.#rules.mitigation.verified_ms,
    });
  }

  #edgeOf(id: string): ReplayedEdge {
    const known = this.#edges.get(id);
    if (known !== undefined) return known;
    const memory = new ReplayMemory(LoginMemory.allocate(randomBytes(8), slots));
    const edge: ReplayedEdge = {
      memory,
      vpn: undefined,
      place: undefined,
      held: [],
      state: {
        memory,
        history: noHistory,
        canAsk: canBeAsked,
        vpn: { find: () => edge.vpn },
        place: () => edge.place,
        verified: {
          passedChallenge: (name, ip, nowMs) => {
            const player = this.#verified.get(playerKey(name, ip));
            return player !== undefined && player.untilMs > nowMs ? player.challenge : undefined;
          },
        },
      },
    };
    this.#edges.set(id, edge);
    return edge;
  }
}

function refused(refusal: RefusalReason): Replayed {
  return { outcome: "refused", refusal };
}

const noCookie = refusalOf("bot_check", "cookie", "none");
const admitted: Replayed = { outcome: "admitted", refusal: undefined };

/** An admitted player still needs a backend with room. */
function outcomeOf(verdict: ReplayedAttempt["entry"]["verdict"]): Replayed {
  return verdict === "offline" || verdict === "full" ? refused(verdict) : admitted;
}

/** By name and network, as edges know verified players: IPv4 /24, IPv6 /64. */
function playerKey(name: string, ip: IpBytes): string {
  const network = Buffer.from(ip.subarray(0, ip.length === 4 ? 3 : 8)).toString("hex");
  return `${name.toLowerCase()} ${network}`;
}
