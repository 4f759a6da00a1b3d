import { type AntibotLevel, antibotLevels } from "@palisade/contract/edge/shield-config";
import { showsProfileKey } from "@palisade/minecraft-protocol/java/login";
import { mitigationLimits as limits } from "./limits.ts";
import type { LoginFacts, LoginKnowledge, Refusal } from "./login-facts.ts";
import type { MitigationRules } from "./mitigation-rules.ts";
import { isToolName, looksRandom } from "./name-rules.ts";
import { type Proof, proofs } from "./shared/verified-players.ts";

export type Mitigated =
  | { readonly kind: "refuse"; readonly refusal: Refusal }
  /** `proof`: what is still asked of him. */
  | { readonly kind: "admit"; readonly proof: Proof | undefined; readonly holdsName: boolean };

/** One connection as the rules look at it. */
interface Connection {
  readonly facts: Pick<LoginFacts, "ip" | "attack">;
  readonly rules: MitigationRules;
  readonly knowledge: LoginKnowledge;
  readonly nowMs: number;
  /** The level that acts: the owner's, or what it was relaxed to. */
  readonly level: AntibotLevel;
  /** The strongest proof the player has given, here or where he comes from. */
  readonly proof: Proof | undefined;
}

/** One login. */
interface Case extends Connection {
  readonly facts: LoginFacts;
}

type Rule = (login: Case) => Refusal | undefined;

/** In the order in which they decide; the first refusal is the one told. */
const order: readonly Rule[] = [
  packetSize,
  sourceRates,
  loginsPerSecond,
  cooldown,
  nameInUse,
  forge,
  vpn,
  botName,
  pingBeforeJoin,
  secureProfile,
];

/**
 * What a shield's mitigation says of a login. Rules only look; what goes on to a backend or to
 * verification is counted at the end, so that the refused use up nobody's room and prolong no
 * cooldown. Counting decides again: of two threads that saw the last free place one gets it.
 */
export function mitigate(
  facts: LoginFacts,
  rules: MitigationRules,
  knowledge: LoginKnowledge,
  nowMs: number,
): Mitigated {
  const level = actingLevel(rules.antibot, facts);
  const proof = strongest(facts.proof, knowledge.verified.proofOf(facts.name, facts.ip, nowMs));
  const login: Case = { facts, rules, knowledge, nowMs, level, proof };
  for (const rule of order) {
    const refusal = rule(login);
    if (refusal !== undefined) return { kind: "refuse", refusal };
  }
  const asked = proofAsked(login);
  if (asked !== undefined && !canGive(asked, login)) {
    return { kind: "refuse", refusal: refusalOf("bot_check", "version", String(facts.protocol)) };
  }
  return count(login, asked);
}

/** Of a connection whose game is not parsed: what can be said of addresses alone. */
export function mitigateConnection(
  facts: Pick<LoginFacts, "ip" | "attack">,
  rules: MitigationRules,
  knowledge: LoginKnowledge,
  nowMs: number,
): Refusal | undefined {
  const level = actingLevel(rules.antibot, facts);
  const connection: Connection = { facts, rules, knowledge, nowMs, level, proof: undefined };
  return (
    sourceRates(connection) ??
    loginsPerSecond(connection) ??
    vpn(connection) ??
    countSources(connection) ??
    countSecond(connection)
  );
}

function actingLevel(level: AntibotLevel, { attack }: Pick<LoginFacts, "attack">): AntibotLevel {
  const { relaxedTo } = attack;
  if (relaxedTo === null || !attack.isUnderAttack) return level;
  return antibotLevels.indexOf(relaxedTo) < antibotLevels.indexOf(level) ? relaxedTo : level;
}

function strongest(a: Proof | undefined, b: Proof | undefined): Proof | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isAsGood(a, b) ? a : b;
}

function isAsGood(proof: Proof, as: Proof): boolean {
  return proofs.indexOf(proof) >= proofs.indexOf(as);
}

function packetSize({ facts: { frameBytes }, rules }: Case): Refusal | undefined {
  const max = rules.packet_bytes_max;
  if (max === null || frameBytes <= max) return undefined;
  return refusalOf("packet_size", "bytes", String(frameBytes));
}

interface SourceLimits {
  readonly address: number;
  readonly network: number;
}

const quiet: SourceLimits = { address: limits.addressQuiet, network: limits.networkQuiet };
const underAttack: SourceLimits = { address: limits.addressAttack, network: limits.networkAttack };
const sources = ["address", "network"] as const;

/** A player who is known is not held up for an attack that comes through his neighbours. */
function sourceLimits({ level, facts, proof }: Connection): SourceLimits | undefined {
  if (level === "disabled") return undefined;
  return facts.attack.isUnderAttack && proof === undefined ? underAttack : quiet;
}

function sourceRates(login: Connection): Refusal | undefined {
  const max = sourceLimits(login);
  if (max === undefined) return undefined;
  const { facts, rules, knowledge, nowMs } = login;
  for (const source of sources) {
    const count = knowledge.memory.rateOf(rules.shield, source, facts.ip, nowMs);
    if (count >= max[source]) return tooFast(source, max[source]);
  }
  return undefined;
}

function tooFast(source: (typeof sources)[number], max: number): Refusal {
  return refusalOf("rate", source, `${max}/${limits.rateWindowMs / 1_000}s`);
}

function loginsPerSecond({ rules, knowledge, nowMs }: Connection): Refusal | undefined {
  const max = rules.logins_per_second;
  if (max === null || knowledge.memory.loginsOf(rules.shield, nowMs) < max) return undefined;
  return tooMany(max);
}

function tooMany(max: number): Refusal {
  return refusalOf("max_connections", "limit", `${max}/s`);
}

function cooldown({ facts, rules, knowledge, nowMs, proof }: Case): Refusal | undefined {
  if (rules.rejoin_cooldown_ms === null || proof !== undefined) return undefined;
  const ms = knowledge.memory.cooldownMs(rules.shield, facts.name, facts.ip, nowMs);
  return ms === 0 ? undefined : tooSoon(ms);
}

function tooSoon(ms: number): Refusal {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return { reason: "cooldown", facts: { seconds: String(seconds) }, seconds };
}

/** Whoever is known cannot be kept out by others under his name. */
function nameInUse(login: Case): Refusal | undefined {
  const { facts, rules, knowledge, nowMs } = login;
  if (!takesName(login)) return undefined;
  return knowledge.memory.isNameInUse(rules.shield, facts.name, nowMs) ? nameTaken : undefined;
}

function takesName({ level, proof }: Case): boolean {
  return level !== "disabled" && proof === undefined;
}

const nameTaken = refusalOf("rate", "name", "in use");

const forged = refusalOf("forge", "client", "forge");

function forge({ facts, rules }: Case): Refusal | undefined {
  return rules.anti_forge && facts.forge ? forged : undefined;
}

const hidden = refusalOf("vpn", "list", "vpn");

function vpn({ facts, rules, knowledge }: Connection): Refusal | undefined {
  return rules.anti_vpn && knowledge.vpn.has(facts.ip) ? hidden : undefined;
}

function botName({ facts, rules, knowledge, nowMs, proof }: Case): Refusal | undefined {
  if (!rules.advanced_antibot || proof !== undefined) return undefined;
  const { memory } = knowledge;
  const { shield } = rules;
  const { name } = facts;
  memory.sawName(shield, name, nowMs);
  if (isToolName(name)) return refusalOf("bot_name", "rule", "tool");
  if (memory.isNumbered(shield, name, nowMs)) return refusalOf("bot_name", "rule", "numbered");
  if (!facts.attack.isUnderAttack && !memory.isBurst(shield, nowMs)) return undefined;
  if (looksRandom(name)) return refusalOf("bot_name", "rule", "random");
  return memory.isAlike(shield, name, nowMs) ? refusalOf("bot_name", "rule", "alike") : undefined;
}

const notPinged = refusalOf("bot_check", "ping", "none");

/** Real clients show a list of servers and ping each of it before anybody can join. */
function pingBeforeJoin(login: Case): Refusal | undefined {
  const { facts, rules, knowledge, nowMs, proof } = login;
  if (proof !== undefined || !isPingAsked(login)) return undefined;
  return knowledge.memory.hasPinged(rules.shield, facts.ip, nowMs) ? undefined : notPinged;
}

function isPingAsked({ level, facts, rules, knowledge, nowMs }: Case): boolean {
  if (facts.attack.isUnderAttack) return level !== "disabled" || rules.advanced_antibot;
  return rules.advanced_antibot && knowledge.memory.isBurst(rules.shield, nowMs);
}

const unsigned = refusalOf("secure_profiles", "key", "none");

function secureProfile({ facts, rules }: Case): Refusal | undefined {
  if (!rules.secure_profiles || facts.profileKey) return undefined;
  return showsProfileKey(facts.protocol) ? unsigned : undefined;
}

/** What the player has still to show; undefined where he has shown enough. */
function proofAsked(login: Case): Proof | undefined {
  const asked = strongest(proofOfProfile(login), proofOfLevel(login));
  if (asked === undefined) return undefined;
  return login.proof !== undefined && isAsGood(login.proof, asked) ? undefined : asked;
}

/** Later than 1.19.2 the key is seen only by whoever encrypts; a paid account is what it would show. */
function proofOfProfile({ facts, rules }: Case): Proof | undefined {
  return rules.secure_profiles && !showsProfileKey(facts.protocol) ? "premium" : undefined;
}

function proofOfLevel({ level, facts, rules, knowledge, nowMs }: Case): Proof | undefined {
  if (level === "extreme") {
    return knowledge.canAsk("gravity", facts.protocol) ? "gravity" : "premium";
  }
  if (level === "high") return "protocol";
  if (level !== "medium") return undefined;
  const isPressed =
    facts.attack.isUnderAttack ||
    (rules.advanced_antibot && knowledge.memory.isBurst(rules.shield, nowMs));
  return isPressed ? "protocol" : undefined;
}

function canGive(asked: Proof, { facts, knowledge }: Case): boolean {
  return facts.form === "modern" && knowledge.canAsk(asked, facts.protocol);
}

/** He goes on: counts him, where there is still room. */
function count(login: Case, asked: Proof | undefined): Mitigated {
  const holdsName = takesName(login);
  const refusal = countSources(login) ?? countSecond(login) ?? countRest(login, holdsName);
  if (refusal !== undefined) return { kind: "refuse", refusal };
  return { kind: "admit", proof: asked, holdsName };
}

function countSources(login: Connection): Refusal | undefined {
  const max = sourceLimits(login);
  if (max === undefined) return undefined;
  const { facts, rules, knowledge, nowMs } = login;
  for (const source of sources) {
    const limit = max[source];
    if (!knowledge.memory.countSource(rules.shield, source, facts.ip, limit, nowMs)) {
      return tooFast(source, limit);
    }
  }
  return undefined;
}

function countSecond({ rules, knowledge, nowMs }: Connection): Refusal | undefined {
  const max = rules.logins_per_second;
  if (max === null || knowledge.memory.countLogin(rules.shield, max, nowMs)) return undefined;
  return tooMany(max);
}

function countRest(login: Case, holdsName: boolean): Refusal | undefined {
  const { facts, rules, knowledge, nowMs, proof } = login;
  const { memory } = knowledge;
  const { shield, rejoin_cooldown_ms: ms } = rules;
  if (ms !== null && proof === undefined) {
    if (!memory.startCooldown(shield, facts.name, facts.ip, ms, nowMs)) return tooSoon(ms);
  }
  if (holdsName && !memory.useName(shield, facts.name, nowMs)) return nameTaken;
  return undefined;
}

function refusalOf(reason: Refusal["reason"], fact: string, value: string): Refusal {
  return { reason, facts: { [fact]: value } };
}
