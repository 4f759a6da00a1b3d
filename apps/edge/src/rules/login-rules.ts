import { showsProfileKey } from "@palisade/minecraft-protocol/java/login";
import { type LoginContext, type ConnectionContext, refusalOf } from "./rule-context.ts";
import type { Refusal } from "./login-attempt.ts";
import { isToolName, looksRandom } from "./name-rules.ts";

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

export function vpn({ facts, rules, state }: ConnectionContext): Refusal | undefined {
  return rules.anti_vpn ? state.vpn.find(facts.ip) : undefined;
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
