import { antibotLevels, planLimits } from "./plan-limits.ts";

export type AntibotLevel = (typeof antibotLevels)[number];

/** What a shield's plan allows. Every feature asks this, none reads a plan itself. */
export interface Entitlements {
  readonly domainsMax: number;
  readonly backendGroupsMax: number;
  readonly trafficBytesPerMonth: number | null;
  readonly caching: boolean;
  readonly customization: boolean;
  readonly bedrock: boolean;
  readonly antiVpn: boolean;
  allowsAntibot(level: AntibotLevel): boolean;
  readonly allowsLocation: (name: string) => boolean;
}

/**
 * @param shield the shield with the limits of its plan, as stored
 * @throws ZodError where a stored plan is not one this version understands
 */
export function entitlements(shield: { readonly plan_limits: unknown }): Entitlements {
  const limits = planLimits.parse(shield.plan_limits);
  const ceiling = antibotLevels.indexOf(limits.antibot_ceiling);
  return {
    domainsMax: limits.domains,
    backendGroupsMax: limits.backend_groups,
    trafficBytesPerMonth: limits.traffic_bytes_per_month,
    caching: limits.caching,
    customization: limits.customization,
    bedrock: limits.bedrock,
    antiVpn: limits.anti_vpn,
    allowsAntibot: (level) => antibotLevels.indexOf(level) <= ceiling,
    allowsLocation: (name) => limits.locations?.includes(name) ?? true,
  };
}
