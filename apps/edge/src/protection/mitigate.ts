import { type AntibotLevel, antibotLevels } from "@palisade/contract/edge/shield-config";
import {
  cooldown,
  countRest,
  countSecond,
  countSources,
  loginsPerSecond,
  nameInUse,
  sourceRates,
  takesName,
} from "./counting-rules.ts";
import { type Case, type Connection, refusalOf } from "./login-case.ts";
import type { LoginFacts, LoginKnowledge, Refusal } from "./login-facts.ts";
import { botName, forge, packetSize, pingBeforeJoin, secureProfile, vpn } from "./login-rules.ts";
import type { MitigationRules } from "./mitigation-rules.ts";
import { canGive, proofAsked, strongest } from "./required-proof.ts";
import type { Proof } from "./shared/verified-players.ts";

export type Mitigated =
  | { readonly kind: "refuse"; readonly refusal: Refusal }
  /** `proof`: what is still asked of him. */
  | { readonly kind: "admit"; readonly proof: Proof | undefined; readonly holdsName: boolean };

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

/** Of a login whose player is still to be asked what he brings: what no proof would change. */
export function mitigateUnasked(
  facts: LoginFacts,
  rules: MitigationRules,
  knowledge: LoginKnowledge,
  nowMs: number,
): Refusal | undefined {
  const level = actingLevel(rules.antibot, facts);
  const known: Connection = { facts, rules, knowledge, nowMs, level, proof: "premium" };
  return sourceRates(known) ?? loginsPerSecond(known);
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

/** He goes on: counts him, where there is still room. */
function count(login: Case, asked: Proof | undefined): Mitigated {
  const holdsName = takesName(login);
  const refusal = countSources(login) ?? countSecond(login) ?? countRest(login, holdsName);
  if (refusal !== undefined) return { kind: "refuse", refusal };
  return { kind: "admit", proof: asked, holdsName };
}
