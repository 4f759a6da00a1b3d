import type { RefusalReason } from "@palisade/contract/edge/telemetry";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { unknownHost } from "#src/shields/edge-answers.ts";
import type { KickTemplate } from "#src/shields/kick-template.ts";
import type { AttackDetector } from "#src/rules/attack-detector.ts";
import type { AttackStatus } from "#src/rules/attack-state.ts";
import { edgeAttackKey } from "#src/rules/attack-key.ts";
import { refusesConnection } from "#src/rules/connection-verdict.ts";
import type { LoginAttempt, ProtectionState, Refusal } from "#src/rules/login-attempt.ts";
import { refusalOf } from "#src/rules/rule-context.ts";
import { tooLarge } from "#src/rules/login-rules.ts";
import { decideLogin, decideBeforeCookie } from "#src/rules/login-verdict.ts";
import type { Challenge } from "#src/rules/shared/verified-players.ts";
import { traceCode } from "#src/rules/trace-code.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { Outcome } from "#src/telemetry/outcomes.ts";
import {
  mayBeFalsePositive,
  isEdgeFailure,
  refusalReasonOf,
  type VerificationFailure,
  kickReasonOf,
} from "#src/challenge/rules/verification-failure.ts";
import type { FalsePositiveDetector } from "#src/challenge/false-positive-detector.ts";
import { type RelaxLevelDeps, relaxLevel } from "./relax-level.ts";

export interface LoginRequest extends Omit<LoginAttempt, "attack"> {
  /** The shield of the named host; undefined if there is none. */
  readonly shield: CompiledShield | undefined;
}

/** State and rules for the verdict on logins. */
export interface Mitigation extends ProtectionState {
  readonly attacks: RelaxLevelDeps["attacks"] & Pick<AttackDetector, "login" | "refused">;
  readonly falsePositives: FalsePositiveDetector;
  /** Time of day: all threads of the edge have it in common, and it goes on over restarts. */
  readonly nowMs: () => number;
  /** The clock that attacks are counted by. */
  readonly monotonicMs: () => number;
}

export interface Kick {
  readonly kind: "kick";
  readonly outcome: RefusalReason | "unknown_host";
  /** The outcome that the connection counts as, if it is not the refusal reason. */
  readonly ends?: Outcome;
  readonly packet: Buffer;
  readonly trace: string;
  /** For the owner's log. */
  readonly facts: Refusal["facts"];
}

export type LoginDecision =
  | {
      readonly kind: "admit";
      readonly shield: CompiledShield;
      /** The challenge the player has to pass before they see a backend. */
      readonly challenge: Challenge | undefined;
      /** The name is in use until the connection releases it. */
      readonly holdsName: boolean;
      /** Why the player would have been refused without shadow mode. */
      readonly shadowed: Refusal | undefined;
    }
  | Kick;

const quiet: AttackStatus = { isUnderAttack: false, relaxedTo: null };
const noFacts: Refusal["facts"] = {};

/** Whether the player may join, or the kick; counted if it belongs to a shield. */
export function decideJoin(request: LoginRequest, mitigation: Mitigation): LoginDecision {
  const atMs = mitigation.monotonicMs();
  // Logins to unknown hosts count too: this is about the edge.
  mitigation.attacks.login(edgeAttackKey, request.ip, atMs);
  const { shield } = request;
  if (shield === undefined) {
    return kickOf(request, "unknown_host", unknownHost.kick, traceOf(request));
  }
  const attack = countLogin(request.ip, shield, mitigation, atMs);
  return decide({ ...request, attack }, shield, mitigation, atMs);
}

/**
 * The first decision on a login whose player is asked for a cookie: counts it as every login, and
 * refuses it if no cookie could change that.
 */
export function decideUnasked(
  request: LoginRequest,
  shield: CompiledShield,
  mitigation: Mitigation,
): Kick | undefined {
  const atMs = mitigation.monotonicMs();
  mitigation.attacks.login(edgeAttackKey, request.ip, atMs);
  const facts = { ...request, attack: countLogin(request.ip, shield, mitigation, atMs) };
  const verdict = decideBeforeCookie(facts, shield.rules, mitigation, mitigation.nowMs());
  return verdict && refuse(request, shield, mitigation, atMs, verdict);
}

/** The verdict on such a login, once the cookie request is answered. */
export function decideAnswered(
  request: LoginRequest,
  shield: CompiledShield,
  mitigation: Mitigation,
): LoginDecision {
  const atMs = mitigation.monotonicMs();
  const { attack } = shield;
  const now = attack === undefined ? quiet : mitigation.attacks.status(attack, atMs);
  return decide({ ...request, attack: now }, shield, mitigation, atMs);
}

function decide(
  facts: LoginRequest & LoginAttempt,
  shield: CompiledShield,
  mitigation: Mitigation,
  atMs: number,
): LoginDecision {
  const verdict = decideLogin(facts, shield.rules, mitigation, mitigation.nowMs());
  if (verdict.kind === "refuse") return refuse(facts, shield, mitigation, atMs, verdict);
  const { kind, holdsName } = verdict;
  const shadowed = kind === "forward" ? verdict.shadowed : undefined;
  if (shadowed !== undefined) shield.counters.wouldRefuse(shadowed.reason);
  const challenge = kind === "verify" ? verdict.challenge : undefined;
  return { kind: "admit", shield, challenge, holdsName, shadowed };
}

function refuse(
  request: LoginRequest,
  shield: CompiledShield,
  mitigation: Mitigation,
  atMs: number,
  refusal: Refusal & { readonly trace: string },
): Kick {
  const { reason } = refusal;
  countRefusal(shield, reason, mitigation, atMs);
  return kickOf(request, reason, shield.kicks[reason], refusal);
}

/** Why a connection whose game is not parsed is refused; counted. */
export function decideConnection(
  shield: CompiledShield,
  ip: IpBytes,
  mitigation: Mitigation,
): RefusalReason | undefined {
  const atMs = mitigation.monotonicMs();
  mitigation.attacks.login(edgeAttackKey, ip, atMs);
  const facts = { ip, attack: countLogin(ip, shield, mitigation, atMs) };
  const refusal = refusesConnection(facts, shield.rules, mitigation, mitigation.nowMs());
  if (refusal?.shadow === true) shield.counters.wouldRefuse(refusal.reason);
  if (refusal === undefined || refusal.shadow) return undefined;
  countRefusal(shield, refusal.reason, mitigation, atMs);
  return refusal.reason;
}

function countLogin(
  ip: IpBytes,
  { attack, counters }: CompiledShield,
  { attacks }: Mitigation,
  atMs: number,
): AttackStatus {
  counters.logins++;
  return attack === undefined ? quiet : attacks.login(attack, ip, atMs);
}

function countRefusal(
  { counters, attack }: CompiledShield,
  reason: RefusalReason,
  { attacks }: Mitigation,
  atMs: number,
): void {
  counters.refuse(reason);
  attacks.refused(edgeAttackKey, reason, atMs);
  if (attack !== undefined) attacks.refused(attack, reason, atMs);
}

/**
 * A packet after Login Start is larger than the owner allows; counted.
 *
 * @returns the kick, or the refusal that shadow mode has only reported
 */
export function decidePacket(
  request: LoginRequest,
  shield: CompiledShield,
  mitigation: Mitigation,
  frameBytes: number,
): Kick | { readonly kind: "shadowed"; readonly refusal: Refusal } {
  const refusal = { ...tooLarge(frameBytes), ...traceOf(request) };
  if (shield.rules.mitigation.shadow) {
    shield.counters.wouldRefuse(refusal.reason);
    return { kind: "shadowed", refusal };
  }
  return refuse(request, shield, mitigation, mitigation.monotonicMs(), refusal);
}

/** A player has left during a challenge: counted as refused, without a kick. */
export function countLeft(shield: CompiledShield, mitigation: Mitigation): void {
  countRefusal(shield, "bot_check", mitigation, mitigation.monotonicMs());
}

/** The kick of a player who did not answer the cookie request, as every game does. */
export function kickUnanswered(
  request: LoginRequest,
  shield: CompiledShield,
  mitigation: Mitigation,
  how: "silence" | "malformed",
): Kick {
  const refusal = { ...refusalOf("bot_check", "cookie", how), ...traceOf(request) };
  return refuse(request, shield, mitigation, mitigation.monotonicMs(), refusal);
}

/** The kick where no backend answers. */
export function kickOffline(
  request: LoginRequest,
  shield: CompiledShield,
  shadowed: Refusal | undefined,
): Kick {
  shield.counters.refuse("offline");
  const facts = shadowedFacts(shadowed);
  return kickOf(request, "offline", shield.kicks.offline, { ...traceOf(request), facts });
}

/** For a login that shadow mode has counted as refused, and that ended otherwise. */
export function shadowedFacts(shadowed: Refusal | undefined): Refusal["facts"] {
  return shadowed === undefined ? noFacts : { ...shadowed.facts, shadow: shadowed.reason };
}

/**
 * The kick of a player who has not passed the challenge; `packet` if the client is no longer in the
 * login state.
 */
export function kickUnverified(
  request: LoginRequest,
  shield: CompiledShield,
  mitigation: Mitigation,
  fault: VerificationFailure,
  packet: Buffer | undefined,
): Kick {
  const reason = refusalReasonOf(fault, shield.rules.mitigation);
  countRefusal(shield, reason, mitigation, mitigation.monotonicMs());
  if (mayBeFalsePositive(fault)) relaxLevel(request, shield, mitigation);
  const facts = { ...traceOf(request), facts: { verification: fault } };
  const words = shield.kicks[kickReasonOf(fault, shield.rules.mitigation)];
  const kick = kickOf(request, reason, words, facts);
  return {
    ...kick,
    packet: packet ?? kick.packet,
    ends: isEdgeFailure(fault) ? "unchecked" : reason,
  };
}

function traceOf({ bootSeed, connection }: LoginRequest): { readonly trace: string } {
  return { trace: traceCode(bootSeed, connection) };
}

function kickOf(
  { form, name: player }: LoginRequest,
  outcome: Kick["outcome"],
  kick: KickTemplate,
  { trace, seconds, facts = noFacts }: { readonly trace: string } & Partial<Refusal>,
): Kick {
  const packet = kick[form]({ player, trace, seconds });
  return { kind: "kick", outcome, packet, trace, facts };
}
