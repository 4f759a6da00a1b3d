import { mitigationLimits as limits } from "./limits.ts";
import { type LoginContext, type ConnectionContext, refusalOf } from "./rule-context.ts";
import type { Refusal } from "./login-attempt.ts";

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
