import type { NetworkAction } from "@palisade/contract/edge/plain-values";
import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
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

/** Lists of whole autonomous systems are of hosting companies; others are of VPNs, unless they say. */
export function isHostingNetwork(listed: Facts | undefined): boolean {
  if (listed === undefined) return false;
  const { kind, asn, list = "" } = listed;
  if (kind !== undefined) return kind === "hosting";
  return asn !== undefined || /hosting|data-?cent(er|re)/i.test(list);
}
