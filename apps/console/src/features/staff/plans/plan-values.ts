import type { antibotLevels } from "@palisade/contract/edge/plain-values";
import type { PlanLimits } from "@palisade/contract/http/plan-limits";
import type { StaffPlan } from "@palisade/contract/http/staff-plans";
import { centsOf, wholeOrNull } from "../parts/euro-text.ts";

const gigabyte = 1_000_000_000;

/** What the fields of a plan hold: text, except switches. */
export interface PlanValues extends Record<string, unknown> {
  readonly slug: string;
  readonly price_cents: string;
  readonly en_name: string;
  readonly en_description: string;
  readonly en_features: string;
  readonly ru_name: string;
  readonly ru_description: string;
  readonly ru_features: string;
  readonly position: string;
  readonly limits_domains: string;
  readonly limits_backend_groups: string;
  /** In gigabytes. */
  readonly limits_traffic_bytes_per_month: string;
  readonly limits_log_days: string;
  readonly limits_analytics_days: string;
  readonly limits_players: string;
  readonly limits_half_open_logins: string;
  readonly limits_bytes_per_second: string;
  readonly limits_locations: string;
  readonly limits_antibot_ceiling: (typeof antibotLevels)[number];
  readonly limits_caching: boolean;
  readonly limits_customization: boolean;
  readonly limits_anti_vpn: boolean;
}

const newLimits: PlanLimits = {
  domains: 1,
  backend_groups: 1,
  traffic_bytes_per_month: null,
  caching: false,
  customization: false,
  bedrock: false,
  antibot_ceiling: "medium",
  anti_vpn: false,
};

/** @param plan null: an empty form for a new plan */
export function planValues(plan: StaffPlan | null): PlanValues {
  const limits = plan?.limits ?? newLimits;
  const traffic = limits.traffic_bytes_per_month;
  return {
    slug: plan?.slug ?? "",
    price_cents: "",
    en_name: plan?.en.name ?? "",
    en_description: plan?.en.description ?? "",
    en_features: (plan?.en.features ?? []).join("\n"),
    ru_name: plan?.ru?.name ?? "",
    ru_description: plan?.ru?.description ?? "",
    ru_features: (plan?.ru?.features ?? []).join("\n"),
    position: String(plan?.position ?? 10),
    limits_domains: String(limits.domains),
    limits_backend_groups: String(limits.backend_groups),
    limits_traffic_bytes_per_month: traffic === null ? "" : String(traffic / gigabyte),
    limits_log_days: text(limits.log_days),
    limits_analytics_days: text(limits.analytics_days),
    limits_players: text(limits.players),
    limits_half_open_logins: text(limits.half_open_logins),
    limits_bytes_per_second: text(limits.bytes_per_second),
    limits_locations: (limits.locations ?? []).join(", "),
    limits_antibot_ceiling: limits.antibot_ceiling,
    limits_caching: limits.caching,
    limits_customization: limits.customization,
    limits_anti_vpn: limits.anti_vpn,
  };
}

/** The body of the call; what the form has no field for stays as it was. */
export function planBody(plan: StaffPlan | null, values: PlanValues & { readonly reason: string }) {
  const traffic = wholeOrNull(values.limits_traffic_bytes_per_month);
  const limits: PlanLimits = {
    ...(plan?.limits ?? newLimits),
    domains: Number(values.limits_domains),
    backend_groups: Number(values.limits_backend_groups),
    traffic_bytes_per_month: traffic === null ? null : traffic * gigabyte,
    log_days: wholeOrNull(values.limits_log_days) ?? undefined,
    analytics_days: wholeOrNull(values.limits_analytics_days) ?? undefined,
    players: wholeOrNull(values.limits_players),
    half_open_logins: wholeOrNull(values.limits_half_open_logins),
    bytes_per_second: wholeOrNull(values.limits_bytes_per_second),
    locations: namesOf(values.limits_locations),
    antibot_ceiling: values.limits_antibot_ceiling,
    caching: values.limits_caching,
    customization: values.limits_customization,
    anti_vpn: values.limits_anti_vpn,
  };
  const body = {
    en: {
      name: values.en_name,
      description: values.en_description,
      features: linesOf(values.en_features),
    },
    ru: translation(values),
    limits,
    position: Number(values.position),
    reason: values.reason,
  };
  if (plan !== null) return body;
  return { ...body, slug: values.slug, price_cents: centsOf(values.price_cents) };
}

/** Without any text in Russian, the plan is shown in English there. */
function translation({ ru_name: name, ru_description: description, ru_features }: PlanValues) {
  const features = linesOf(ru_features);
  const isEmpty = name.trim() === "" && description.trim() === "" && features.length === 0;
  return isEmpty ? null : { name, description, features };
}

function linesOf(typed: string): string[] {
  return typed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function namesOf(typed: string): string[] | null {
  const names = typed.split(/[\s,]+/).filter((name) => name !== "");
  return names.length === 0 ? null : names;
}

function text(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}
