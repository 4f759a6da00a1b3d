import { regularMs } from "#src/challenge/false-positive-detector.ts";
import { shortDisconnectOf } from "#src/challenge/disconnects.ts";
import { verificationLimits } from "#src/challenge/rules/limits.ts";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import {
  isEdgeFailure,
  kickReasonOf,
  mayBeFalsePositive,
  refusalReasonOf,
  tellsOfBots,
  type VerificationFailure,
} from "#src/challenge/rules/verification-failure.ts";
import type { DialRefusal } from "#src/dialling/player-dial.ts";
import { edgeAttackKey } from "#src/rules/attack-table.ts";
import { type LoginAttempt, type Refusal, refusalOf } from "@palisade/login-rules/login-attempt";
import { requiresAccount, tooLarge } from "@palisade/login-rules/login-rules";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { unknownHost } from "#src/shields/edge-answers.ts";
import type { KickTemplate } from "#src/shields/kick-template.ts";
import type { Outcome } from "#src/telemetry/outcomes.ts";
import type { Mitigation } from "./connection-deps.ts";

export interface Kick {
  readonly outcome: RefusalReason | "unknown_host";
  /** The outcome that the connection counts as, if it is not the refusal reason. */
  readonly ends?: Outcome;
  readonly packet: Buffer;
  /** For the owner's log. */
  readonly facts: Refusal["facts"];
  /** The client was asked something, and may answer yet. */
  readonly isAsked?: boolean;
}

/** The player who reads the kick. */
export interface KickedLogin extends Pick<LoginAttempt, "form" | "name" | "ip" | "protocol"> {
  readonly trace: string;
}

/** The same, with the bytes that have come from them. */
export interface UnverifiedLogin extends KickedLogin {
  readonly conn: { readonly receivedBytes: number };
}

const noFacts: Refusal["facts"] = {};

export function kickUnknownHost(login: KickedLogin): Kick {
  return kickOf(login, "unknown_host", unknownHost.kick);
}

/** The kick of a refused login; counted. */
export function refuse(
  login: KickedLogin,
  shield: CompiledShield,
  mitigation: Mitigation,
  refusal: Refusal,
): Kick {
  const { reason } = refusal;
  countRefusal(shield, reason, mitigation);
  return kickOf(login, reason, shield.kicks[reason], refusal);
}

/** Refusals of owners who try a check are no refusals of players. */
export function countRefusal(
  { counters, attack, rules }: CompiledShield,
  reason: RefusalReason,
  { attacks, monotonicMs }: Mitigation,
): void {
  if (rules.mitigation.trial !== undefined) return;
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
  login: KickedLogin,
  shield: CompiledShield,
  mitigation: Mitigation,
  frameBytes: number,
): { readonly kick: Kick } | { readonly shadowed: Refusal } {
  const refusal = tooLarge(frameBytes);
  if (!shield.rules.mitigation.shadow) {
    return { kick: refuse(login, shield, mitigation, refusal) };
  }
  shield.counters.wouldRefuse(refusal.reason);
  return { shadowed: refusal };
}

/** The kick of a player who did not answer the cookie request, as every game does. */
export function kickUnanswered(
  login: KickedLogin,
  shield: CompiledShield,
  mitigation: Mitigation,
  how: "silence" | "malformed",
): Kick {
  const refusal = refusalOf("bot_check", "cookie", how);
  return { ...refuse(login, shield, mitigation, refusal), isAsked: true };
}

/** The kick where no backend can take the player. */
export function kickOffline(
  login: KickedLogin,
  shield: CompiledShield,
  why: DialRefusal,
  shadowed: Refusal | undefined,
): Kick {
  shield.counters.refuse("offline");
  const facts = { ...shadowedFacts(shadowed), ...(why !== "offline" && { backends: why }) };
  return { ...kickOf(login, "offline", shield.kicks.offline, { facts }), ends: why };
}

/** The kick where the shield has as many players as it may have. */
export function kickFull(
  login: KickedLogin,
  shield: CompiledShield,
  shadowed: Refusal | undefined,
): Kick {
  shield.counters.refuse("full");
  return kickOf(login, "full", shield.kicks.full, { facts: shadowedFacts(shadowed) });
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
  login: UnverifiedLogin,
  shield: CompiledShield,
  mitigation: Mitigation,
  fault: VerificationFailure,
  packet: Buffer | undefined,
): Kick {
  const reason = refusalReasonOf(fault, shield.rules.mitigation);
  countRefusal(shield, reason, mitigation);
  if (mayBeFalsePositive(fault)) relaxLevel(login, shield, mitigation);
  // An owner who fails on purpose makes their own network no suspect.
  if (tellsOfBots(fault) && shield.rules.mitigation.trial === undefined) {
    const { history, place, nowMs } = mitigation;
    history.failed(login.ip, place?.(login.ip), false, nowMs());
  }
  const words = shield.kicks[kickReasonOf(fault, shield.rules.mitigation)];
  return {
    outcome: reason,
    packet: packet ?? firstAnswer(login, words),
    facts: { verification: fault },
    ends: isEdgeFailure(fault) ? "unchecked" : reason,
  };
}

/** The client has answered nothing yet, and gets a few times its own bytes at most. */
function firstAnswer(login: UnverifiedLogin, words: KickTemplate): Buffer {
  const { name: player, trace, protocol, form, conn } = login;
  const packet = words[form]({ player, trace });
  const max = verificationLimits.sentPerReceivedMax * conn.receivedBytes;
  if (packet.length <= max) return packet;
  return shortDisconnectOf("login", protocol, words.text({ player, trace }), max);
}

function kickOf(
  { form, name: player, trace }: KickedLogin,
  outcome: Kick["outcome"],
  kick: KickTemplate,
  { seconds, facts = noFacts }: Partial<Refusal> = {},
): Kick {
  return { outcome, packet: kick[form]({ player, trace, seconds }), facts };
}

export interface RelaxLevelDeps extends Pick<
  Mitigation,
  "falsePositives" | "nowMs" | "monotonicMs"
> {
  readonly attacks: Pick<Mitigation["attacks"], "status" | "ageMs" | "relax" | "attackNumber">;
  readonly verified: Pick<Mitigation["verified"], "passedAtMs">;
}

/**
 * A player has failed the challenge of the level. If they have been known here for long, and others
 * like them have failed too, the level relaxes for the rest of the attack.
 *
 * It relaxes from extreme to high and no further: the levels below do not challenge known players.
 */
export function relaxLevel(
  player: Pick<LoginAttempt, "name" | "ip" | "protocol">,
  { attack, rules: { mitigation } }: Pick<CompiledShield, "attack" | "rules">,
  { attacks, verified, falsePositives, nowMs, monotonicMs }: RelaxLevelDeps,
): void {
  if (attack === undefined || mitigation.antibot !== "extreme") return;
  // Another level would require the same of the player.
  if (requiresAccount(player.protocol, mitigation)) return;
  const atMs = monotonicMs();
  const { isUnderAttack, relaxedTo } = attacks.status(attack, atMs);
  if (!isUnderAttack || relaxedTo !== null) return;
  const now = nowMs();
  const provenAtMs = verified.passedAtMs(player.name, player.ip, now);
  const regularSinceMs = now - attacks.ageMs(attack, atMs) - regularMs;
  if (provenAtMs === undefined || provenAtMs > regularSinceMs) return;
  const round = { shield: mitigation.shield, attack: attacks.attackNumber(attack) };
  if (falsePositives.failed(round, player, now)) attacks.relax(attack, null, "high", atMs);
}
