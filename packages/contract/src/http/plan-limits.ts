import { z } from "zod";
import { antibotLevels } from "../edge/plain-values.ts";

const whole = (min: number, max: number) =>
  z.int("number.invalid").min(min, "number.range").max(max, "number.range");
const anyMax = 1_000_000_000_000_000;

/** The limits of a pricing plan, as stored with it. */
export const planLimits = z
  .strictObject({
    domains: whole(1, 200),
    backend_groups: whole(1, 64),
    traffic_bytes_per_month: whole(1, anyMax)
      .nullable()
      .describe("Bytes relayed both ways in a calendar month; null for no limit"),
    caching: z.boolean("boolean.invalid"),
    customization: z.boolean("boolean.invalid"),
    bedrock: z.boolean("boolean.invalid"),
    antibot_ceiling: z
      .enum(antibotLevels, "antibot_level.invalid")
      .describe("The strictest a shield may use"),
    anti_vpn: z.boolean("boolean.invalid"),
    log_days: whole(1, 90)
      .describe("How many days logins stay in the log; absent in older plans")
      .optional(),
    analytics_days: whole(1, 396)
      .describe("How many days analytics go back; absent in older plans")
      .optional(),
    locations: z
      .array(z.string().max(64, "text.max"))
      .max(200, "text.max")
      .nullish()
      .describe("Where players may enter; null, or absent in older plans, for all"),
    players: whole(1, anyMax)
      .nullish()
      .describe("At once, on each edge; null for the edge's own default, like those below"),
    half_open_logins: whole(16, anyMax)
      .nullish()
      .describe("Connections that have neither joined nor left, on each edge"),
    bytes_per_second: whole(10_000, anyMax).nullish().describe("Both ways, on each edge"),
  })
  .meta({ id: "PlanLimits" });

export type PlanLimits = z.infer<typeof planLimits>;
