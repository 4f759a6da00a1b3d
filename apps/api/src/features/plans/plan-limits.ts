import { antibotLevels } from "@palisade/contract/edge/plain-values";
import { z } from "zod";

/** The limits of a pricing plan, as stored with it. */
export const planLimits = z.strictObject({
  domains: z.int().min(1).max(200),
  backend_groups: z.int().min(1).max(64),
  /** Bytes relayed both ways in a calendar month; null for no limit. */
  traffic_bytes_per_month: z.int().min(1).nullable(),
  caching: z.boolean(),
  customization: z.boolean(),
  bedrock: z.boolean(),
  /** The strictest a shield may use. */
  antibot_ceiling: z.enum(antibotLevels),
  anti_vpn: z.boolean(),
  /** How many days logins stay in the log; absent in older plans. */
  log_days: z.int().min(1).max(90).optional(),
  /** How many days analytics go back; absent in older plans. */
  analytics_days: z.int().min(1).max(396).optional(),
  /** Names of the locations where players may enter; null, or absent in older plans, for all. */
  locations: z.array(z.string()).nullish(),
  /**
   * On each edge; null, or absent in older plans, for the edge's own default: players at once,
   * connections that have neither joined nor left, and bytes a second both ways.
   */
  players: z.int().min(1).nullish(),
  half_open_logins: z.int().min(16).nullish(),
  bytes_per_second: z.int().min(10_000).nullish(),
});

export type PlanLimits = z.infer<typeof planLimits>;
