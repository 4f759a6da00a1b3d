import { type NetworkAction, networkActions } from "@palisade/contract/edge/plain-values";

interface RuleSettings {
  readonly country: string | null;
  readonly asn: string | null;
  readonly action: NetworkAction;
  readonly expires_at: Date | null;
}

/**
 * A rule as the history of the settings has it.
 *
 * @example "NL block", "AS64496 allow until 2026-12-01T00:00:00.000Z"
 */
export function ruleText({ country, asn, action, expires_at }: RuleSettings): string {
  const rule = `${country ?? `AS${asn}`} ${action}`;
  return expires_at === null ? rule : `${rule} until ${expires_at.toISOString()}`;
}

const form =
  /^(?:AS(?<asn>\d{1,10})|(?<country>[A-Z]{2})) (?<action>\w+)(?: until (?<until>\S+))?$/;

/** Undefined where the text is of no rule of today. */
export function readRuleText(text: string): RuleSettings | undefined {
  const { asn, country, action, until } = form.exec(text)?.groups ?? {};
  const known = networkActions.find((each) => each === action);
  const expires_at = until === undefined ? null : new Date(until);
  if (known === undefined || Number.isNaN(expires_at?.getTime())) return undefined;
  if (asn !== undefined && Number(asn) > 0xffff_ffff) return undefined;
  return { country: country ?? null, asn: asn ?? null, action: known, expires_at };
}
