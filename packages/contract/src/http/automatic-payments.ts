import { z } from "zod";
import { timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

/** Whole euros, as for a top-up by hand. */
const euros = z
  .number({ error: ({ input }) => (input === undefined ? "amount.required" : "amount.digits") })
  .int("amount.digits")
  .min(1, "amount.min")
  .max(1_000, "amount.max");

export const automaticTopUp = z
  .object({
    enabled: z.boolean("boolean.invalid"),
    threshold: euros.describe("Whole euros: below this balance the card is charged"),
    amount: euros.describe("Whole euros that are charged"),
  })
  .meta({ id: "AutomaticTopUp" });

export type AutomaticTopUp = z.infer<typeof automaticTopUp>;

export const balanceForecast = z
  .object({
    balance_lasts_until: timestamp
      .nullable()
      .describe(
        "The first renewal that the balance no longer covers; null where there is none in two years",
      ),
    monthly: z.string().describe("What all renewals from the balance cost in a month, EUR"),
    monthly_cents: z.int(),
    renewals: z.array(
      z.object({
        server_id: uuid.nullable().describe("Null for the support plan"),
        name: z.string(),
        charge_at: timestamp,
        price: z.string(),
        price_cents: z.int(),
        covered: z
          .boolean()
          .nullable()
          .describe("Whether the balance covers it after those before it; null: it is not used"),
      }),
    ),
  })
  .meta({ id: "BalanceForecast" });

export type BalanceForecast = z.infer<typeof balanceForecast>;

export const getForecast = route({
  id: "billing.forecast",
  method: "GET",
  path: "/billing/forecast",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "How long the balance lasts",
  success: 200,
  response: balanceForecast,
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const getAutomaticTopUp = route({
  id: "billing.getAutomaticTopUp",
  method: "GET",
  path: "/billing/automatic-top-up",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "When a saved card tops up the balance",
  success: 200,
  response: automaticTopUp,
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const updateAutomaticTopUp = route({
  id: "billing.updateAutomaticTopUp",
  method: "PUT",
  path: "/billing/automatic-top-up",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Set when a saved card tops up the balance",
  body: automaticTopUp,
  success: 200,
  response: z.object({ settings: automaticTopUp, message: z.string() }),
  errors: ["unauthenticated", "step_up_required"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  recent: true,
});

export const automaticPaymentRoutes = { getForecast, getAutomaticTopUp, updateAutomaticTopUp };
