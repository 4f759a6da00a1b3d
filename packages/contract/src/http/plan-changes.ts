import { z } from "zod";
import { serverParams, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

/** How long the price of a change is held. */
export const quoteMinutes = 15;

export const planLimitNames = [
  "domains",
  "backend_groups",
  "locations",
  "antibot_level",
  "anti_vpn",
  "traffic",
] as const;

export const exceededLimit = z
  .object({
    limit: z.enum(planLimitNames),
    used: z.int().describe("What the shield has; for `antibot_level` the place in its list"),
    allowed: z.int().describe("What the plan allows"),
  })
  .meta({ id: "ExceededLimit" });

export type ExceededLimit = z.infer<typeof exceededLimit>;

/** Sums are decimal strings with two digits in EUR; `_cents` beside them is exact. */
export const planQuote = z
  .object({
    id: uuid.nullable().describe("Confirms the price; null where nothing is paid now"),
    kind: z
      .enum(["now", "at_period_end"])
      .describe("A dearer plan begins at once, a cheaper one with the next period"),
    plan: z.object({ id: uuid, name: z.string() }),
    price: z.string().describe("Of a month, from the next renewal on, without VAT"),
    price_cents: z.int(),
    due: z.string().describe("What is taken from the balance at once, with VAT"),
    due_cents: z.int(),
    vat: z.string().describe("The part of `due` that is VAT"),
    vat_cents: z.int(),
    balance_after: z.string().nullable().describe("Null where the balance does not cover it"),
    balance_after_cents: z.int().nullable(),
    missing: z.string().describe("What the balance lacks for `due`"),
    missing_cents: z.int(),
    effective_at: timestamp,
    period_ends_at: timestamp.nullable().describe("Null where the new plan costs nothing"),
    expires_at: timestamp.describe("Until then the price is held"),
    exceeded: z.array(exceededLimit).describe("While there are any, the change is refused"),
  })
  .meta({ id: "PlanQuote" });

export type PlanQuote = z.infer<typeof planQuote>;

/** A plan that begins with the next period. */
export const plannedPlan = z
  .object({ plan: z.object({ id: uuid, name: z.string() }), effective_at: timestamp })
  .meta({ id: "PlannedPlan" });

const planId = z
  .string("pricing_plan_id.required")
  .min(1, "pricing_plan_id.required")
  .pipe(z.uuid("pricing_plan_id.invalid"));

export const changePlanBody = z.object({
  pricing_plan_id: planId,
  quote_id: z
    .uuid("quote.invalid")
    .optional()
    .describe("Holds the price that was shown; without it the price of now is taken"),
});

export const quotePlanChange = route({
  id: "planChanges.quote",
  method: "POST",
  path: "/servers/:id/change-plan/quote",
  family: "api",
  access: "owner",
  apiKey: "write",
  summary: "What another plan would cost",
  params: serverParams,
  body: z.object({ pricing_plan_id: planId }),
  success: 200,
  response: z.object({ quote: planQuote }),
  errors: [
    "unauthenticated",
    "not_found",
    "gone",
    "forbidden",
    "server_not_active",
    "plan_unavailable",
    "renewal_due",
  ],
  limits: [{ per: "user", max: 120, windowSeconds: 3600 }],
});

export const changePlan = route({
  id: "planChanges.change",
  method: "POST",
  path: "/servers/:id/change-plan",
  family: "api",
  access: "owner",
  apiKey: "none",
  summary: "Change the plan of a shield",
  params: serverParams,
  body: changePlanBody,
  success: 200,
  response: z.object({
    kind: z.enum(["now", "at_period_end"]),
    effective_at: timestamp,
    revision: z.int().nullable().describe("Null where edges have nothing to know yet"),
    message: z.string(),
  }),
  errors: [
    "unauthenticated",
    "step_up_required",
    "not_found",
    "gone",
    "forbidden",
    "server_not_active",
    "plan_unavailable",
    "plan_exceeded",
    "quote_expired",
    "price_changed",
    "renewal_due",
    "insufficient_funds",
    "purchases_frozen",
    "idempotency_mismatch",
    "idempotency_in_progress",
  ],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  idempotent: true,
  recent: true,
});

export const cancelPlanChange = route({
  id: "planChanges.cancel",
  method: "DELETE",
  path: "/servers/:id/change-plan",
  family: "api",
  access: "owner",
  apiKey: "none",
  summary: "Keep the present plan after this period",
  params: serverParams,
  success: 200,
  response: z.object({ message: z.string() }),
  errors: [
    "unauthenticated",
    "step_up_required",
    "not_found",
    "gone",
    "forbidden",
    "server_not_active",
  ],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  recent: true,
});

export const renewServer = route({
  id: "servers.renew",
  method: "POST",
  path: "/servers/:id/renew",
  family: "api",
  access: "owner",
  apiKey: "write",
  summary: "Renew a shield now",
  params: serverParams,
  success: 200,
  response: z.object({
    expires_at: timestamp,
    revision: z.int().nullable().describe("Null where edges have nothing to know"),
    message: z.string(),
  }),
  errors: [
    "unauthenticated",
    "not_found",
    "gone",
    "forbidden",
    "server_not_active",
    "renewal_not_due",
    "insufficient_funds",
    "idempotency_mismatch",
    "idempotency_in_progress",
  ],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  idempotent: true,
});

export const planChangeRoutes = { quotePlanChange, changePlan, cancelPlanChange, renewServer };

const supportPlanId = z
  .string("pricing_plan_id.required")
  .min(1, "pricing_plan_id.required")
  .pipe(z.uuid("pricing_plan_id.invalid"));

export const quoteSupportPlan = route({
  id: "supportPlans.quote",
  method: "POST",
  path: "/support-plans/quote",
  family: "api",
  access: "customer",
  apiKey: "write",
  summary: "What another support plan would cost",
  body: z.object({ support_plan_id: supportPlanId }),
  success: 200,
  response: z.object({ quote: planQuote }),
  errors: ["unauthenticated", "plan_unavailable"],
  limits: [{ per: "user", max: 120, windowSeconds: 3600 }],
});

export const purchaseSupportPlan = route({
  id: "supportPlans.purchase",
  method: "POST",
  path: "/support-plans/purchase",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Change the support plan",
  body: z.object({ support_plan_id: supportPlanId, quote_id: z.uuid("quote.invalid").optional() }),
  success: 200,
  response: z.object({
    kind: z.enum(["now", "at_period_end"]),
    effective_at: timestamp,
    message: z.string(),
  }),
  errors: [
    "unauthenticated",
    "step_up_required",
    "plan_unavailable",
    "quote_expired",
    "price_changed",
    "insufficient_funds",
    "purchases_frozen",
    "idempotency_mismatch",
    "idempotency_in_progress",
  ],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  idempotent: true,
  recent: true,
});

export const getSupportSubscription = route({
  id: "supportPlans.subscription",
  method: "GET",
  path: "/support-plans/subscription",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "The support plan of the account",
  success: 200,
  response: z.object({
    plan: z.object({ id: uuid, name: z.string() }).nullable(),
    price: z.string(),
    price_cents: z.int(),
    period_ends_at: timestamp.nullable().describe("Null on the free plan"),
    planned: plannedPlan.nullable(),
  }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const cancelSupportChange = route({
  id: "supportPlans.cancelChange",
  method: "DELETE",
  path: "/support-plans/planned-change",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Keep the present support plan after this period",
  success: 200,
  response: z.object({ message: z.string() }),
  errors: ["unauthenticated", "step_up_required"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  recent: true,
});

export const supportPlanRoutes = {
  quoteSupportPlan,
  purchaseSupportPlan,
  getSupportSubscription,
  cancelSupportChange,
};
