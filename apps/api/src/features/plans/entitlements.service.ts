import { antibotLevels, type AntibotLevel } from "@palisade/contract/edge/plain-values";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { planLimits } from "@palisade/contract/http/plan-limits";

const logDaysDefault = 7;
/** 13 months: what is kept at most, and where the plan says nothing. */
export const analyticsDaysMax = 396;

/** The rights and limits of a shield's plan. Every feature asks this; none reads a plan itself. */
export interface Entitlements {
  readonly domainsMax: number;
  readonly backendGroupsMax: number;
  readonly trafficBytesPerMonth: number | null;
  readonly caching: boolean;
  readonly customization: boolean;
  readonly bedrock: boolean;
  readonly antiVpn: boolean;
  readonly antibotMax: AntibotLevel;
  readonly logDays: number;
  readonly analyticsDays: number;
  /** The shield's part of each edge. */
  readonly shares: ShieldConfig["shares"];
  allowsAntibot(level: AntibotLevel): boolean;
  /** The level itself, or the plan's strictest level if that is weaker. */
  antibotWithin(level: AntibotLevel): AntibotLevel;
  readonly allowsLocation: (name: string) => boolean;
}

/**
 * @param shield the shield with the limits of its plan, as stored
 * @throws ZodError if this version does not understand the stored plan
 */
export function entitlements(shield: { readonly plan_limits: unknown }): Entitlements {
  const limits = planLimits.parse(shield.plan_limits);
  const { antibot_ceiling: antibotMax } = limits;
  const allowsAntibot = (level: AntibotLevel) =>
    antibotLevels.indexOf(level) <= antibotLevels.indexOf(antibotMax);
  return {
    domainsMax: limits.domains,
    backendGroupsMax: limits.backend_groups,
    trafficBytesPerMonth: limits.traffic_bytes_per_month,
    caching: limits.caching,
    customization: limits.customization,
    bedrock: limits.bedrock,
    antiVpn: limits.anti_vpn,
    antibotMax,
    logDays: limits.log_days ?? logDaysDefault,
    analyticsDays: limits.analytics_days ?? analyticsDaysMax,
    shares: {
      players: limits.players ?? null,
      half_open_logins: limits.half_open_logins ?? null,
      bytes_per_second: limits.bytes_per_second ?? null,
    },
    allowsAntibot,
    antibotWithin: (level) => (allowsAntibot(level) ? level : antibotMax),
    allowsLocation: (name) => limits.locations?.includes(name) ?? true,
  };
}
