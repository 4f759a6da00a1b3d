import type { AntibotLevel, NetworkAction } from "@palisade/contract/edge/plain-values";
import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import type { Challenge } from "./shared/verified-players.ts";
import type { Place } from "./source-history.ts";

/** A shield's rules by country and network, prepared for the packet path. */
export interface NetworkRules {
  readonly countries: ReadonlyMap<string, NetworkRule>;
  readonly networks: ReadonlyMap<number, NetworkRule>;
}

interface NetworkRule {
  readonly action: NetworkAction;
  /** From then on it does nothing; null: it has no end. */
  readonly until: number | null;
}

/** Undefined where there are none, as most shields have it: then no address is looked up for them. */
export function networkRules(config: MitigationConfig["network_rules"]): NetworkRules | undefined {
  if (config.countries.length + config.networks.length === 0) return undefined;
  return {
    countries: new Map(config.countries.map(({ country, ...rule }) => [country, rule])),
    networks: new Map(config.networks.map(({ asn, ...rule }) => [asn, rule])),
  };
}

type Facts = Readonly<Record<string, string>>;

export interface NetworkVerdict {
  readonly action: NetworkAction;
  /** For the owner's log. */
  readonly facts: Facts;
}

/** The rule for an address; the rule of its network wins over its country's. */
export function networkVerdict(
  rules: NetworkRules | undefined,
  place: Place | undefined,
  nowMs: number,
): NetworkVerdict | undefined {
  if (rules === undefined || place === undefined) return undefined;
  const { country, asn } = place;
  const ofNetwork = asn === undefined ? undefined : actionAt(rules.networks.get(asn), nowMs);
  const ofCountry =
    country === undefined ? undefined : actionAt(rules.countries.get(country), nowMs);
  const action = ofNetwork ?? ofCountry;
  if (action === undefined) return undefined;
  const facts = {
    rule: ofNetwork === undefined ? "country" : "asn",
    ...(country !== undefined && { country }),
    ...(asn !== undefined && { asn: `AS${asn}` }),
  };
  return { action, facts };
}

function actionAt(rule: NetworkRule | undefined, nowMs: number): NetworkAction | undefined {
  if (rule === undefined) return undefined;
  return rule.until === null || nowMs < rule.until ? rule.action : undefined;
}

export function blockedBy(
  verdict: NetworkVerdict | undefined,
): { readonly reason: "network"; readonly facts: Facts } | undefined {
  return verdict?.action === "block" ? { reason: "network", facts: verdict.facts } : undefined;
}

/** Grades that a rule can ask for; it never asks for a paid account. */
const ladder = ["protocol", "gravity", "captcha"] as const satisfies readonly Challenge[];

/**
 * The challenge of an unknown player, after the owner's rule and the default for hosting networks: a rule
 * `challenge` asks for gravity at least, whatever the level; from High on, a hosting network is asked for
 * one grade more. A client that cannot be asked for it is asked for the nearest weaker one.
 *
 * @param asked of the level
 */
export function raisedByNetwork(
  asked: Challenge | undefined,
  {
    action,
    level,
    isHosting,
    canAsk,
  }: {
    readonly action: NetworkAction | undefined;
    readonly level: AntibotLevel;
    readonly isHosting: () => boolean;
    readonly canAsk: (challenge: Challenge) => boolean;
  },
): Challenge | undefined {
  if (action === "allow" || asked === "premium") return asked;
  const from = asked === undefined ? -1 : ladder.indexOf(asked);
  const least = action === "challenge" ? ladder.indexOf("gravity") : -1;
  const isStrict = level === "high" || level === "extreme";
  const wanted = Math.max(from, least, isStrict && isHosting() ? from + 1 : -1);
  for (let grade = Math.min(wanted, ladder.length - 1); grade > from; grade--) {
    const raised = ladder[grade];
    if (raised !== undefined && canAsk(raised)) return raised;
  }
  return asked;
}

/** Lists of whole autonomous systems are of hosting companies; others are of VPNs, unless they say. */
export function isHostingNetwork(listed: Facts | undefined): boolean {
  if (listed === undefined) return false;
  const { kind, asn, list = "" } = listed;
  if (kind !== undefined) return kind === "hosting";
  return asn !== undefined || /hosting|data-?cent(er|re)/i.test(list);
}
