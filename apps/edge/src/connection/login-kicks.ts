import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import {
  mayBeFalsePositive,
  isEdgeFailure,
  refusalReasonOf,
  type VerificationFailure,
  kickReasonOf,
} from "#src/challenge/rules/verification-failure.ts";
import { edgeAttackKey } from "#src/rules/attack-key.ts";
import type { DialRefusal } from "#src/dialling/player-dial.ts";
import type { Refusal } from "#src/rules/login-attempt.ts";
import { tooLarge } from "#src/rules/login-rules.ts";
import { refusalOf } from "#src/rules/rule-context.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { unknownHost } from "#src/shields/edge-answers.ts";
import type { KickTemplate } from "#src/shields/kick-template.ts";
import type { Outcome } from "#src/telemetry/outcomes.ts";
import type { LoginRequest, Mitigation } from "./login-request.ts";
import { relaxLevel } from "./relax-level.ts";

export interface Kick {
  readonly outcome: RefusalReason | "unknown_host";
  /** The outcome that the connection counts as, if it is not the refusal reason. */
  readonly ends?: Outcome;
  readonly packet: Buffer;
  /** For the owner's log. */
  readonly facts: Refusal["facts"];
}

const noFacts: Refusal["facts"] = {};

export function kickUnknownHost(request: LoginRequest): Kick {
  return kickOf(request, "unknown_host", unknownHost.kick);
}

/** The kick of a refused login; counted. */
export function refuse(
  request: LoginRequest,
  shield: CompiledShield,
  mitigation: Mitigation,
  refusal: Refusal,
): Kick {
  const { reason } = refusal;
  countRefusal(shield, reason, mitigation);
  return kickOf(request, reason, shield.kicks[reason], refusal);
}

export function countRefusal(
  { counters, attack }: CompiledShield,
  reason: RefusalReason,
  { attacks, monotonicMs }: Mitigation,
): void {
  const atMs = monotonicMs();
  counters.refuse(reason);
  attacks.refused(edgeAttackKey, reason, atMs);
  if (attack !== undefined) attacks.refused(attack, reason, atMs);
}

/**
 * A packet after Login Start is larger than the owner allows; counted.
 *
 * @returns the kick, or the refusal that shadow mode has only reported
 */
export function refusePacket(
  request: LoginRequest,
  shield: CompiledShield,
  mitigation: Mitigation,
  frameBytes: number,
): { readonly kick: Kick } | { readonly shadowed: Refusal } {
  const refusal = tooLarge(frameBytes);
  if (!shield.rules.mitigation.shadow) {
    return { kick: refuse(request, shield, mitigation, refusal) };
  }
  shield.counters.wouldRefuse(refusal.reason);
  return { shadowed: refusal };
}

/** A player has left during a challenge: counted as refused, without a kick. */
export function countLeft(shield: CompiledShield, mitigation: Mitigation): void {
  countRefusal(shield, "bot_check", mitigation);
}

/** The kick of a player who did not answer the cookie request, as every game does. */
export function kickUnanswered(
  request: LoginRequest,
  shield: CompiledShield,
  mitigation: Mitigation,
  how: "silence" | "malformed",
): Kick {
  return refuse(request, shield, mitigation, refusalOf("bot_check", "cookie", how));
}

/** The kick where no backend can take the player. */
export function kickOffline(
  request: LoginRequest,
  shield: CompiledShield,
  why: DialRefusal,
  shadowed: Refusal | undefined,
): Kick {
  shield.counters.refuse("offline");
  const facts = { ...shadowedFacts(shadowed), ...(why !== "offline" && { backends: why }) };
  return { ...kickOf(request, "offline", shield.kicks.offline, { facts }), ends: why };
}

/** The kick where the shield has as many players as it may have. */
export function kickFull(
  request: LoginRequest,
  shield: CompiledShield,
  shadowed: Refusal | undefined,
): Kick {
  shield.counters.refuse("full");
  return kickOf(request, "full", shield.kicks.full, { facts: shadowedFacts(shadowed) });
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
  countRefusal(shield, reason, mitigation);
  if (mayBeFalsePositive(fault)) relaxLevel(request, shield, mitigation);
  const words = shield.kicks[kickReasonOf(fault, shield.rules.mitigation)];
  const kick = kickOf(request, reason, words, { facts: { verification: fault } });
  return {
    ...kick,
    packet: packet ?? kick.packet,
    ends: isEdgeFailure(fault) ? "unchecked" : reason,
  };
}

function kickOf(
  { form, name: player, trace }: LoginRequest,
  outcome: Kick["outcome"],
  kick: KickTemplate,
  { seconds, facts = noFacts }: Partial<Refusal> = {},
): Kick {
  return { outcome, packet: kick[form]({ player, trace, seconds }), facts };
}
