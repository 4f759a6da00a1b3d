import { z } from "zod";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { staffChangeErrors, staffReadErrors } from "./staff-errors.ts";
import { staffReason } from "./staff-roles.ts";

/**
 * How a case of the quarantine ends:
 *
 * - `credit` the payer gets what the provider's record says
 * - `returned` staff sent the money back at the provider
 * - `dismiss` there was no money of a payer
 */
export const quarantineResolutions = ["credit", "returned", "dismiss"] as const;

export const quarantinedPayment = z
  .object({
    id: uuid,
    provider: z.string(),
    reference: z.string().describe("The provider's name of it"),
    reason: z.string().describe("Why it does not match"),
    amount_cents: z.int().describe("Below 0: money that has left"),
    currency: z.string(),
    email: z.string().nullable().describe("Null where no account is known"),
    user_id: uuid.nullable(),
    can_credit: z.boolean(),
    found_at: timestamp,
  })
  .meta({ id: "QuarantinedPayment" });

export type QuarantinedPayment = z.infer<typeof quarantinedPayment>;

const shared = { family: "api", access: "staff", staffRoles: ["billing"], apiKey: "none" } as const;

export const listQuarantine = route({
  ...shared,
  id: "staffBooks.quarantine",
  method: "GET",
  path: "/staff/quarantine",
  showsPersonalData: true,
  summary: "List payments that match no order",
  success: 200,
  response: z.object({
    cases: z.array(quarantinedPayment),
    four_eyes_cents: z.int().describe("Above it, a second staff member has to confirm"),
  }),
  errors: [...staffReadErrors],
  limits: defaultLimits.read,
});

export const resolveQuarantine = route({
  ...shared,
  id: "staffBooks.resolve",
  method: "POST",
  path: "/staff/quarantine/:caseId/resolve",
  summary: "End a case of the quarantine",
  params: z.object({ caseId: uuid }),
  body: z.object({
    resolution: z.enum(quarantineResolutions, "resolution.invalid"),
    reason: staffReason.max(200, "order_reason.max"),
  }),
  success: 200,
  response: acknowledgement.extend({
    outcome: z.enum(["done", "waiting"]).describe("`waiting`: for a second staff member"),
  }),
  errors: [...staffChangeErrors, "not_found", "conflict"],
  limits: defaultLimits.change,
});

export const readPurchases = route({
  ...shared,
  id: "staffBooks.purchases",
  method: "GET",
  path: "/staff/purchases",
  staffRoles: ["billing", "operations"],
  summary: "Whether purchases are frozen, since when and why",
  success: 200,
  response: z.object({
    freeze: z.object({ reason: z.string(), since: timestamp }).nullable(),
  }),
  errors: [...staffReadErrors],
  limits: defaultLimits.read,
});

export const freezePurchases = route({
  ...shared,
  id: "staffBooks.freeze",
  method: "PUT",
  path: "/staff/purchases",
  summary: "Freeze purchases and upgrades, or open them again",
  body: z.object({ is_frozen: z.boolean("boolean.invalid"), reason: staffReason }),
  success: 200,
  response: acknowledgement,
  errors: [...staffChangeErrors],
  limits: defaultLimits.change,
});

export const checkLedger = route({
  ...shared,
  id: "staffBooks.check",
  method: "GET",
  path: "/staff/ledger-check",
  staffRoles: ["billing", "operations"],
  summary: "Check the ledger",
  success: 200,
  response: z.object({
    txns: z.int(),
    accounts: z.int(),
    breaks: z.array(z.string()).describe("What does not fit; at most 100 of them"),
    breaks_count: z.int(),
    checked_at: timestamp,
  }),
  errors: [...staffReadErrors],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
});

export const staffBookRoutes = {
  listQuarantine,
  resolveQuarantine,
  readPurchases,
  freezePurchases,
  checkLedger,
};
