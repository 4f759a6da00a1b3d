import { z } from "zod";
import { antibotLevels } from "../edge/plain-values.ts";
import { timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

/** A plan for one shield. Prices are EUR a month, without tax. */
export const pricingPlan = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string(),
    price: z.string().describe("Decimal string with two digits, EUR"),
    price_cents: z.int(),
    currency: z.literal("EUR"),
    period: z.literal("month"),
    features: z.array(z.object({ feature_name: z.string() })),
    vat_rate: z.string().describe("VAT that the caller pays on top, per cent with two digits"),
    total: z.string().describe("Price with that VAT"),
    total_cents: z.int(),
    includes: z
      .object({
        domains_max: z.int(),
        groups_max: z.int(),
        caching: z.boolean(),
        customization: z.boolean(),
        bedrock: z.boolean(),
        antibot_max: z.enum(antibotLevels),
        anti_vpn: z.boolean(),
      })
      .describe("What the plan allows a shield, to find the one that has what another lacks"),
    is_available: z.boolean().describe("False when the caller's balance does not cover the price"),
    balance_after: z
      .string()
      .nullable()
      .describe("Balance after buying it now; null where it does not cover the price"),
    balance_after_cents: z.int().nullable(),
    renews_at: timestamp
      .nullable()
      .describe("End of a period bought now; null where the plan costs nothing"),
  })
  .meta({ id: "PricingPlan" });

export const supportPlan = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string(),
    price: z.string(),
    price_cents: z.int(),
    currency: z.literal("EUR"),
    period: z.literal("month"),
  })
  .meta({ id: "SupportPlan" });

export const serverLocation = z
  .object({
    name: z.string().describe("Value to send as `location`, e.g. `frankfurt`"),
    display_name: z.string(),
    flag_url: z.string().nullable().describe("Path of an SVG; null where no flag applies"),
    is_available: z
      .boolean()
      .describe(
        "At least one edge of the location takes players, and the plan asked about includes it",
      ),
  })
  .meta({ id: "ServerLocation" });

export type PricingPlan = z.infer<typeof pricingPlan>;
export type SupportPlan = z.infer<typeof supportPlan>;
export type ServerLocation = z.infer<typeof serverLocation>;

export const listPricingPlans = route({
  id: "plans.listPricingPlans",
  method: "GET",
  path: "/servers/pricing-plans",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "List plans for Game Shields",
  success: 200,
  response: z.object({ plans: z.array(pricingPlan) }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const listLocations = route({
  id: "plans.listLocations",
  method: "GET",
  path: "/servers/locations",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "List locations where players can enter",
  querystring: z.object({ pricing_plan_id: z.uuid("pricing_plan_id.invalid").optional() }),
  success: 200,
  response: z.object({ locations: z.array(serverLocation) }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const listSupportPlans = route({
  id: "plans.listSupportPlans",
  method: "GET",
  path: "/support-plans",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "List support plans",
  success: 200,
  response: z.object({ plans: z.array(supportPlan) }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const planRoutes = { listPricingPlans, listLocations, listSupportPlans };
