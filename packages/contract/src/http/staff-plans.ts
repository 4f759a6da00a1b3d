import { z } from "zod";
import { acknowledgement, email } from "./fields.ts";
import { planLimits } from "./plan-limits.ts";
import { defaultLimits, route } from "./route.ts";
import { staffChangeErrors, staffReadErrors } from "./staff-errors.ts";
import { staffReason } from "./staff-roles.ts";
import { tidyLine } from "./tidy-line.ts";

/** A slip of the keyboard should not sell a plan for a fortune. */
export const planPriceCentsMax = 1_000_000;

const line = (max: number) =>
  z.string("required").overwrite(tidyLine).min(1, "required").max(max, "text.max");

export const catalogueSlug = z
  .string("required")
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "slug.invalid");

const planTexts = z.object({
  name: line(60),
  description: line(300),
  features: z.array(line(120)).max(20, "text.max"),
});
const supportTexts = planTexts.omit({ features: true });

const common = {
  slug: z.string(),
  price_cents: z.int(),
  is_retired: z.boolean(),
  position: z.int().describe("Its place among the others"),
  holders: z.int().describe("Shields or accounts that are on it"),
  other_terms: z.int().describe("Those of them that pay another price than today's"),
};

/** A plan in all languages, also one that is no longer on offer. */
export const staffPlan = z
  .object({
    ...common,
    en: planTexts,
    ru: planTexts.nullable().describe("Null where it is not translated"),
    limits: planLimits,
  })
  .meta({ id: "StaffPlan" });

export const staffSupportPlan = z
  .object({ ...common, en: supportTexts, ru: supportTexts.nullable() })
  .meta({ id: "StaffSupportPlan" });

export type StaffPlan = z.infer<typeof staffPlan>;
export type StaffSupportPlan = z.infer<typeof staffSupportPlan>;

const position = z.int("number.invalid").min(0, "number.range").max(1_000, "number.range");
const priceCents = z
  .int("price.invalid")
  .min(1, "price.invalid")
  .max(planPriceCentsMax, "price.invalid");

export const planEdit = z
  .object({
    en: planTexts,
    ru: planTexts.nullable(),
    limits: planLimits,
    position,
    reason: staffReason,
  })
  .meta({ id: "StaffPlanEdit" });
export const supportPlanEdit = z
  .object({ en: supportTexts, ru: supportTexts.nullable(), position, reason: staffReason })
  .meta({ id: "StaffSupportPlanEdit" });

const params = z.object({ plan: catalogueSlug });

const shared = {
  family: "api",
  access: "staff",
  staffRoles: ["billing"],
  apiKey: "none",
} as const;
const changing = { ...shared, success: 200, response: acknowledgement } as const;

export const listCatalogue = route({
  ...shared,
  id: "staffPlans.list",
  method: "GET",
  path: "/staff/plans",
  staffRoles: ["support", "billing"],
  summary: "List plans and support plans, also retired ones",
  success: 200,
  response: z.object({
    plans: z.array(staffPlan),
    support_plans: z.array(staffSupportPlan),
    locations: z.array(z.string()).describe("Names that limits of plans may have"),
  }),
  errors: [...staffReadErrors],
  limits: defaultLimits.read,
});

export const createPlan = route({
  ...shared,
  id: "staffPlans.create",
  method: "POST",
  path: "/staff/plans",
  summary: "Add a plan; it is on offer at once",
  body: planEdit.extend({ slug: catalogueSlug, price_cents: priceCents }),
  success: 201,
  response: acknowledgement,
  errors: [...staffChangeErrors, "conflict"],
  limits: defaultLimits.change,
});

export const editPlan = route({
  ...changing,
  id: "staffPlans.edit",
  method: "PUT",
  path: "/staff/plans/:plan",
  summary: "Change the texts and limits of a plan",
  params,
  body: planEdit,
  errors: [...staffChangeErrors, "not_found"],
  limits: defaultLimits.change,
});

export const pricePlan = route({
  ...changing,
  id: "staffPlans.price",
  method: "PUT",
  path: "/staff/plans/:plan/price",
  summary: "Change the price of a plan for new purchases",
  params,
  body: z.object({ price_cents: priceCents, reason: staffReason }),
  errors: [...staffChangeErrors, "not_found", "conflict"],
  limits: defaultLimits.change,
});

export const offerPlan = route({
  ...changing,
  id: "staffPlans.offer",
  method: "PUT",
  path: "/staff/plans/:plan/offer",
  summary: "Take a plan off sale, or put it on sale again",
  params,
  body: z.object({ is_offered: z.boolean("boolean.invalid"), reason: staffReason }),
  errors: [...staffChangeErrors, "not_found", "conflict"],
  limits: defaultLimits.change,
});

export const createSupportPlan = route({
  ...shared,
  id: "staffPlans.createSupport",
  method: "POST",
  path: "/staff/support-plans",
  summary: "Add a support plan; it is on offer at once",
  body: supportPlanEdit.extend({ slug: catalogueSlug, price_cents: priceCents }),
  success: 201,
  response: acknowledgement,
  errors: [...staffChangeErrors, "conflict"],
  limits: defaultLimits.change,
});

export const editSupportPlan = route({
  ...changing,
  id: "staffPlans.editSupport",
  method: "PUT",
  path: "/staff/support-plans/:plan",
  summary: "Change the texts of a support plan",
  params,
  body: supportPlanEdit,
  errors: [...staffChangeErrors, "not_found"],
  limits: defaultLimits.change,
});

export const priceSupportPlan = route({
  ...changing,
  id: "staffPlans.priceSupport",
  method: "PUT",
  path: "/staff/support-plans/:plan/price",
  summary: "Change the price of a support plan",
  params,
  body: z.object({ price_cents: priceCents, reason: staffReason }),
  errors: [...staffChangeErrors, "not_found", "conflict"],
  limits: defaultLimits.change,
});

export const offerSupportPlan = route({
  ...changing,
  id: "staffPlans.offerSupport",
  method: "PUT",
  path: "/staff/support-plans/:plan/offer",
  summary: "Put a support plan on sale, or take it off",
  params,
  body: z.object({ is_offered: z.boolean("boolean.invalid"), reason: staffReason }),
  errors: [...staffChangeErrors, "not_found", "conflict"],
  limits: defaultLimits.change,
});

export const giveSupportPlan = route({
  ...changing,
  id: "staffPlans.giveSupport",
  method: "POST",
  path: "/staff/support-plans/:plan/accounts",
  summary: "Put an account on a support plan without charging",
  params,
  body: z.object({ email, reason: staffReason }),
  errors: [...staffChangeErrors, "not_found"],
  limits: defaultLimits.change,
});

export const staffPlanRoutes = {
  listCatalogue,
  createPlan,
  editPlan,
  pricePlan,
  offerPlan,
  createSupportPlan,
  editSupportPlan,
  priceSupportPlan,
  offerSupportPlan,
  giveSupportPlan,
};
