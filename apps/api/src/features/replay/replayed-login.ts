import type { LoginAttempt, Refusal } from "@palisade/login-rules/login-attempt";
import type { AttackStatus } from "@palisade/login-rules/attack-rules";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { type Challenge, challenges } from "@palisade/login-rules/shared/verified-players";
import { noSignals, signalsIn } from "@palisade/login-rules/suspicion";
import type { Place } from "@palisade/login-rules/source-history";
import type { LoggedLogin } from "./replay.repository.ts";

/** A login of the log as the rules can decide it again. */
export interface ReplayedAttempt {
  readonly entry: LoggedLogin;
  /** When its verdict was decided. */
  readonly decidedAtMs: number;
  /** When it was known what became of it. */
  readonly endedAtMs: number;
  readonly facts: Omit<LoginAttempt, "attack">;
  /** The attack as the edge saw it; undefined where it has not logged it. */
  readonly attack: AttackStatus | undefined;
  readonly hasPinged: boolean;
  readonly vpn: Refusal | undefined;
  /** Country and network of the address, as far as the log tells them. */
  readonly place: Place;
  /** The player was asked to pass a challenge, and did not. */
  readonly failure: Failure | undefined;
  /** The login was larger than any client's: the edge reads none of these, and so admits none. */
  readonly isUnread: boolean;
  /** A transferred player who did not answer the request for a cookie. */
  readonly hidCookie: boolean;
  /** The facts are assumed, because the edge has logged none. */
  readonly isAssumed: boolean;
  /** The edge did not note pings when the login came. */
  readonly isPingAssumed: boolean;
  /** Logins before this one that a flood left out of the log. */
  readonly leftOut: number;
}

interface Failure {
  /** As the edge names it. */
  readonly fault: string;
  /** Undefined where the edge has not logged it. */
  readonly asked: Challenge | undefined;
}

/** The longest that a login may wait for its outcome; the edge ends it before. */
export const waitMsMax = 60_000;

/** Facts that the edge has not logged are assumed in the player's favour. */
export function attemptOf(entry: LoggedLogin): ReplayedAttempt {
  const { attempt, facts, verdict, player } = entry;
  const at = entry.at.getTime();
  const waited = Math.min(attempt?.waited_ms ?? 0, waitMsMax);
  const isRefused = !entry.shadow && (verdict === "bot_check" || verdict === "secure_profiles");
  const fault = isRefused ? facts["verification"] : undefined;
  const hidCookie = isRefused && facts["cookie"] !== undefined;
  const told = attempt ?? assumedAttempt(entry, fault !== undefined || hidCookie);
  const ip = parseIp(entry.ip) ?? new Uint8Array(4);
  return {
    entry,
    decidedAtMs: at - waited,
    endedAtMs: at,
    facts: {
      ip,
      name: player,
      nameValid: told.invalid_name !== true,
      protocol: entry.protocol,
      form: told.legacy === true ? "legacy" : "modern",
      forge: told.forge === true,
      profileKey: keyOf(told.profile_key, attempt === null),
      frameBytes: Math.max(told.frame_bytes ?? 0, verdict === "packet_size" ? bytesOf(facts) : 0),
      passed: told.passed,
      isTransfer: false,
      wire: noSignals,
      logged: told.parts && signalsIn(told.parts),
    },
    attack: attempt === null ? undefined : attackOf(attempt.attack),
    hasPinged: told.ping !== "none",
    vpn: told.vpn === undefined ? undefined : { reason: "vpn", facts: told.vpn },
    place: {
      country: entry.country ?? undefined,
      asn: entry.asn === null ? undefined : Number(entry.asn),
    },
    failure: fault === undefined ? undefined : { fault, asked: told.asked },
    isUnread: told.frame_bytes !== undefined,
    hidCookie,
    isAssumed: attempt === null,
    isPingAssumed: told.ping === "unknown",
    leftOut: countOf(facts["left_out"]),
  };
}

type Attempt = NonNullable<LoggedLogin["attempt"]>;

/** The facts that an entry without any tells by its verdict. */
function assumedAttempt({ verdict, facts }: LoggedLogin, hasFailed: boolean): Attempt {
  const isUnknown = hasFailed || verdict === "verified" || verdict === "bot_name";
  return {
    ...(verdict === "invalid_name" && { invalid_name: true }),
    ...(verdict === "forge" && { forge: true }),
    ...(verdict === "vpn" && { vpn: facts }),
    ...(verdict === "bot_check" && facts["ping"] === "none" && { ping: "none" }),
    ...(facts["key"] === "unreadable" && { profile_key: "unreadable" }),
    ...(!isUnknown && verdict !== "bot_check" && { passed: "premium" }),
  };
}

function keyOf(key: Attempt["profile_key"], isAssumed: boolean): LoginAttempt["profileKey"] {
  if (key === "unreadable") return { isReadable: false, expiresAtMs: 0 };
  if (key !== undefined) return { isReadable: true, expiresAtMs: key };
  return isAssumed ? { isReadable: true, expiresAtMs: Number.POSITIVE_INFINITY } : undefined;
}

function attackOf(attack: Attempt["attack"]): AttackStatus {
  const isUnderAttack = attack !== undefined;
  return { isUnderAttack, relaxedTo: attack === undefined || attack === true ? null : attack };
}

/** Faults of the edge, which say nothing about the player. */
const edgeFaults: ReadonlySet<string> = new Set(["no-room", "session-server"]);
/** Faults of clients that answer no challenge as games do. */
const anyFaults: ReadonlySet<string> = new Set(["silence", "malformed", "unexpected", "too-much"]);

/** Whether the log tells nothing of the player, because the edge could not check them. */
export function isOfEdge({ verification = "" }: LoggedLogin["facts"]): boolean {
  return edgeFaults.has(verification);
}

/** Whether a player with this failure would not pass the challenge either. */
export function failsToo({ fault, asked }: Failure, challenge: Challenge): boolean {
  if (edgeFaults.has(fault)) return false;
  if (asked === undefined || asked === challenge || anyFaults.has(fault)) return true;
  // The stronger challenges of a game begin as the weaker ones do; an account is another matter.
  const weaker = challenges.indexOf(asked) < challenges.indexOf(challenge);
  return challenge !== "premium" && weaker;
}

function bytesOf(facts: LoggedLogin["facts"]): number {
  return countOf(facts["bytes"]);
}

function countOf(text = "0"): number {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
