import { mitigationLimits as limits } from "./login-memory.ts";
import {
  type LoginContext,
  type ConnectionContext,
  refusalOf,
  type Refusal,
  type MitigationRules,
  type Signals,
} from "./login-attempt.ts";
import { showsProfileKey } from "@palisade/minecraft-protocol/java/login";
import { isHostingNetwork } from "./network-rules.ts";
import { type Challenge, challenges } from "./shared/verified-players.ts";
import { gradeOf, isToolName, looksRandom, raisedBy, raisedTo } from "./suspicion.ts";
import { trialChallenge } from "./trial.ts";

/**
 * Rules that count. Each has two halves: one checks whether there is room; the other takes it once
 * no other rule objects to the login, and decides again.
 */

interface SourceLimits {
  readonly address: number;
  readonly network: number;
}

const quiet: SourceLimits = { address: limits.addressQuiet, network: limits.networkQuiet };
const underAttack: SourceLimits = { address: limits.addressAttack, network: limits.networkAttack };
const sources = ["address", "network"] as const;

/** A known player is not delayed by an attack that comes from their neighbours. */
function sourceLimits({ level, facts, passed }: ConnectionContext): SourceLimits | undefined {
  if (level === "disabled") return undefined;
  return facts.attack.isUnderAttack && passed === undefined ? underAttack : quiet;
}

export function sourceRates(login: ConnectionContext): Refusal | undefined {
  const max = sourceLimits(login);
  if (max === undefined) return undefined;
  const { facts, rules, state, nowMs } = login;
  for (const source of sources) {
    const count = state.memory.rateOf(rules.shield, source, facts.ip, nowMs);
    if (count >= max[source]) return tooFast(source, max[source]);
  }
  return undefined;
}

function tooFast(source: (typeof sources)[number], max: number): Refusal {
  return refusalOf("rate", source, `${max}/${limits.rateWindowMs / 1_000}s`);
}

export function loginsPerSecond({ rules, state, nowMs }: ConnectionContext): Refusal | undefined {
  const max = rules.logins_per_second;
  if (max === null || state.memory.loginsOf(rules.shield, nowMs) < max) return undefined;
  return tooMany(max);
}

function tooMany(max: number): Refusal {
  return refusalOf("max_connections", "limit", `${max}/s`);
}

export function cooldown({
  facts,
  rules,
  state,
  nowMs,
  passed,
}: LoginContext): Refusal | undefined {
  if (rules.rejoin_cooldown_ms === null || passed !== undefined) return undefined;
  const ms = state.memory.cooldownMs(rules.shield, facts.name, facts.ip, nowMs);
  return ms === 0 ? undefined : tooSoon(ms);
}

function tooSoon(ms: number): Refusal {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return { reason: "cooldown", facts: { seconds: String(seconds) }, seconds };
}

/** Others who use the name of a known player cannot keep that player out. */
export function nameInUse(login: LoginContext): Refusal | undefined {
  const { facts, rules, state, nowMs } = login;
  if (!takesName(login)) return undefined;
  return state.memory.isNameInUse(rules.shield, facts.name, nowMs) ? nameTaken : undefined;
}

export function takesName({ level, passed }: LoginContext): boolean {
  return level !== "disabled" && passed === undefined;
}

const nameTaken = refusalOf("rate", "name", "in use");

export function countSources(login: ConnectionContext): Refusal | undefined {
  const max = sourceLimits(login);
  if (max === undefined) return undefined;
  const { facts, rules, state, nowMs } = login;
  for (const source of sources) {
    const limit = max[source];
    if (!state.memory.countSource(rules.shield, source, facts.ip, limit, nowMs)) {
      return tooFast(source, limit);
    }
  }
  return undefined;
}

export function countSecond({ rules, state, nowMs }: ConnectionContext): Refusal | undefined {
  const max = rules.logins_per_second;
  if (max === null || state.memory.countLogin(rules.shield, max, nowMs)) return undefined;
  return tooMany(max);
}

export function countRest(login: LoginContext, holdsName: boolean): Refusal | undefined {
  const { facts, rules, state, nowMs, passed } = login;
  const { memory } = state;
  const { shield, rejoin_cooldown_ms: ms } = rules;
  if (ms !== null && passed === undefined) {
    if (!memory.startCooldown(shield, facts.name, facts.ip, ms, nowMs)) return tooSoon(ms);
  }
  if (holdsName && !memory.useName(shield, facts.name, nowMs)) return nameTaken;
  return undefined;
}

export function packetSize({ facts: { frameBytes }, rules }: LoginContext): Refusal | undefined {
  const max = rules.packet_bytes_max;
  return max === null || frameBytes <= max ? undefined : tooLarge(frameBytes);
}

/** Largest packet of any client up to encryption. */
export function tooLarge(frameBytes: number): Refusal {
  return refusalOf("packet_size", "bytes", String(frameBytes));
}

const forged = refusalOf("forge", "client", "forge");

export function forge({ facts, rules }: LoginContext): Refusal | undefined {
  return rules.anti_forge && facts.forge ? forged : undefined;
}

export function vpn({ facts, rules, state, network }: ConnectionContext): Refusal | undefined {
  if (!rules.anti_vpn || network?.action === "allow") return undefined;
  return state.vpn.find(facts.ip);
}

export function botName(login: LoginContext): Refusal | undefined {
  if (!notesName(login)) return undefined;
  const { facts, rules, state, nowMs, newNames } = login;
  const { memory } = state;
  const { shield } = rules;
  const { name } = facts;
  if (isToolName(name)) return refusalOf("bot_name", "rule", "tool");
  if (memory.isNumbered(shield, name, newNames, nowMs)) {
    return refusalOf("bot_name", "rule", "numbered");
  }
  if (!facts.attack.isUnderAttack && !memory.isBurst(shield, newNames, nowMs)) return undefined;
  if (looksRandom(name)) return refusalOf("bot_name", "rule", "random");
  const isAlike = memory.isAlike(shield, name, newNames, nowMs);
  return isAlike ? refusalOf("bot_name", "rule", "alike") : undefined;
}

/** Whether names like this one are counted. */
export function notesName({ rules, passed }: Pick<LoginContext, "rules" | "passed">): boolean {
  return rules.advanced_antibot && passed === undefined;
}

const notPinged = refusalOf("bot_check", "ping", "none");

/** Real clients show a list of servers and ping each of it before anybody can join. */
export function pingBeforeJoin(login: LoginContext): Refusal | undefined {
  const { facts, rules, state, nowMs, passed } = login;
  if (passed !== undefined || !isPingAsked(login)) return undefined;
  return state.memory.hasPinged(rules.shield, facts.ip, nowMs) ? undefined : notPinged;
}

function isPingAsked({ level, facts, rules, state, nowMs, newNames }: LoginContext): boolean {
  if (facts.attack.isUnderAttack) return level !== "disabled" || rules.advanced_antibot;
  return rules.advanced_antibot && state.memory.isBurst(rules.shield, newNames, nowMs);
}

const noKey = refusalOf("secure_profiles", "key", "none");
const unreadableKey = refusalOf("secure_profiles", "key", "unreadable");
const expiredKey = refusalOf("secure_profiles", "key", "expired");

/**
 * For versions that show their key. The edge does not check that Mojang has signed it: a made-up
 * key passes here, and a server in online mode refuses it.
 */
export function secureProfile({ facts, rules, nowMs }: LoginContext): Refusal | undefined {
  const { protocol, profileKey } = facts;
  if (!rules.secure_profiles || !showsProfileKey(protocol)) return undefined;
  if (profileKey === undefined) return noKey;
  if (!profileKey.isReadable) return unreadableKey;
  return profileKey.expiresAtMs > nowMs ? undefined : expiredKey;
}

export function strongestChallenge(
  a: Challenge | undefined,
  b: Challenge | undefined,
): Challenge | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isAsGood(a, b) ? a : b;
}

function isAsGood(challenge: Challenge, as: Challenge): boolean {
  return challenges.indexOf(challenge) >= challenges.indexOf(as);
}

/** The challenge that the player still has to pass; undefined if they have passed enough. */
export function requiredChallenge(login: LoginContext, signals: Signals): Challenge | undefined {
  const ofProfile = requiresAccount(login.facts.protocol, login.rules) ? "premium" : undefined;
  const { trial } = login.rules;
  // At a trial nothing but the owner's choice decides.
  const ofLevel =
    trial === undefined
      ? raised(challengeOfLevel(login), signals, login)
      : trialChallenge(login.level, trial);
  const asked = strongestChallenge(ofProfile, ofLevel);
  if (asked === undefined) return undefined;
  return login.passed !== undefined && isAsGood(login.passed, asked) ? undefined : asked;
}

/** The level's challenge, raised by suspicion or by the network: by one of them, not by both together. */
function raised(
  ofLevel: Challenge | undefined,
  signals: Signals,
  login: LoginContext,
): Challenge | undefined {
  if (login.network?.action === "allow") return ofLevel;
  const canAsk = (challenge: Challenge): boolean => canPass(challenge, login);
  return strongestChallenge(
    raisedBy(signals, ofLevel, login.level, canAsk),
    raisedByNetwork(ofLevel, login, canAsk),
  );
}

/**
 * The challenge after the owner's rule and the default for hosting networks: a rule `challenge` asks for
 * gravity at least, whatever the level; from High on, an unknown player of a hosting network is asked for
 * one grade more. A client that cannot be asked for it is asked for the nearest weaker one.
 */
function raisedByNetwork(
  ofLevel: Challenge | undefined,
  { facts, level, network, passed, state }: LoginContext,
  canAsk: (challenge: Challenge) => boolean,
): Challenge | undefined {
  const from = gradeOf(ofLevel);
  const least = network?.action === "challenge" ? gradeOf("gravity") : from;
  const isStrict = level === "high" || level === "extreme";
  const isHosting =
    isStrict && passed === undefined && isHostingNetwork(state.vpn.find(facts.ip)?.facts);
  return raisedTo(Math.max(least, isHosting ? from + 1 : from), ofLevel, canAsk);
}

/**
 * Whether the owner requires an account, whatever the level. After 1.19.2 a client shows its
 * profile key only in an encrypted connection, so the edge checks the paid account instead.
 */
export function requiresAccount(
  protocol: number,
  { secure_profiles }: Pick<MitigationRules, "secure_profiles">,
): boolean {
  return secure_profiles && !showsProfileKey(protocol);
}

function challengeOfLevel({
  level,
  facts,
  rules,
  state,
  nowMs,
  newNames,
}: LoginContext): Challenge | undefined {
  if (level === "extreme") return "captcha";
  if (level === "high") return "gravity";
  if (level !== "medium") return undefined;
  const isPressed =
    facts.attack.isUnderAttack ||
    (rules.advanced_antibot && state.memory.isBurst(rules.shield, newNames, nowMs));
  return isPressed ? "protocol" : undefined;
}

export function canPass(asked: Challenge, { facts, state }: LoginContext): boolean {
  return facts.form === "modern" && state.canAsk(asked, facts.protocol);
}
