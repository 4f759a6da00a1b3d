import { z } from "zod";
import { acknowledgement, timestamp } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { staffChangeErrors, staffReadErrors } from "./staff-errors.ts";
import { staffReason } from "./staff-roles.ts";

export const staffPromoCode = z
  .object({
    code: z.string(),
    percentage: z.int(),
    starts_at: timestamp,
    ends_at: timestamp.nullable(),
    is_over: z.boolean(),
    per_user_max: z.int().nullable(),
    total_max: z.int().nullable(),
    claims: z.int().describe("How often it was used"),
    bonus_cents: z.int().describe("What its uses added to balances"),
    last_claimed_at: timestamp.nullable(),
  })
  .meta({ id: "StaffPromoCode" });

export type StaffPromoCode = z.infer<typeof staffPromoCode>;

const usesMax = z
  .int("number.invalid")
  .min(1, "number.range")
  .max(1_000_000, "number.range")
  .nullable();

/** The name of a code, in any case. */
export const promoCodeName = z
  .string("required")
  .trim()
  .regex(/^[A-Za-z0-9_-]{3,32}$/, "promo_code.name");

const shared = { family: "api", access: "staff", staffRoles: ["billing"], apiKey: "none" } as const;

export const listPromoCodes = route({
  ...shared,
  id: "staffPromoCodes.list",
  method: "GET",
  path: "/staff/promo-codes",
  summary: "List promo codes with their uses",
  success: 200,
  response: z.object({ promo_codes: z.array(staffPromoCode) }),
  errors: [...staffReadErrors],
  limits: defaultLimits.read,
});

export const addPromoCode = route({
  ...shared,
  id: "staffPromoCodes.add",
  method: "POST",
  path: "/staff/promo-codes",
  summary: "Add a promo code for top-ups",
  body: z.object({
    code: promoCodeName,
    percentage: z
      .int("percentage.invalid")
      .min(1, "percentage.invalid")
      .max(100, "percentage.invalid"),
    ends_at: z.iso
      .datetime({ offset: true, error: "time.invalid" })
      .nullable()
      .describe("Null: without end"),
    per_user_max: usesMax,
    total_max: usesMax,
    reason: staffReason,
  }),
  success: 201,
  response: acknowledgement,
  errors: [...staffChangeErrors, "conflict"],
  limits: defaultLimits.change,
});

export const endPromoCode = route({
  ...shared,
  id: "staffPromoCodes.end",
  method: "POST",
  path: "/staff/promo-codes/:promo/end",
  summary: "End a promo code now",
  params: z.object({ promo: promoCodeName }),
  body: z.object({ reason: staffReason }),
  success: 200,
  response: acknowledgement,
  errors: [...staffChangeErrors, "not_found"],
  limits: defaultLimits.change,
});

export const staffPromoCodeRoutes = { listPromoCodes, addPromoCode, endPromoCode };
