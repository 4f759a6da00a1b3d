import { z } from "zod";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { paged, pageQuery } from "./paging.ts";
import { defaultLimits, route } from "./route.ts";
import { callerVat } from "./vat.ts";

export const paymentMethods = ["stripe", "paypal"] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** The range of a top-up in whole euros; the upper bound also holds for a day. */
export const topUpEuros = { min: 1, max: 1_000 } as const;

/** Whole euros: digits as a number, never a sign, an exponent or another script's digits. */
const amount = z
  .number({ error: ({ input }) => (input === undefined ? "amount.required" : "amount.digits") })
  .int("amount.digits")
  .min(topUpEuros.min, "amount.min")
  .max(topUpEuros.max, "amount.max");

const promoCodeText = z
  .string("promo_code.required")
  .trim()
  .min(1, "promo_code.required")
  .max(64, "promo_code.invalid");

export const checkoutBody = z.object({
  amount,
  payment_method: z.enum(paymentMethods, "payment_method.invalid"),
  promo_code: promoCodeText.optional(),
});

export const validatePromoCodeBody = z.object({ code: promoCodeText, amount });

/** Sums are decimal strings with two digits in EUR; `_cents` beside them is exact. */
export const promoQuote = z
  .object({
    code: z.string().describe("As it is stored, whatever case was typed"),
    percentage: z.int(),
    bonus_amount: z.string(),
    bonus_cents: z.int(),
    total: z.string().describe("What is credited: amount + bonus_amount"),
    total_cents: z.int(),
    message: z.string(),
  })
  .meta({ id: "PromoQuote" });

/**
 * - `pending` the provider has not said anything final
 * - `completed` credited
 * - `cancelled`, `expired` nothing was or will be taken
 * - `review` the provider's record does not match what was ordered: nothing was credited
 */
export const intentStatuses = ["pending", "completed", "cancelled", "expired", "review"] as const;

/**
 * The state of a top-up's promo code: `promised` until the money arrives, then `applied`, or
 * `not_applied` when others have used it up by then.
 */
export const promoStates = ["promised", "applied", "not_applied"] as const;

export const paymentIntent = z
  .object({
    id: uuid,
    payment_method: z.enum(paymentMethods),
    is_sandbox: z.boolean(),
    status: z.enum(intentStatuses),
    amount: z.string(),
    amount_cents: z.int(),
    bonus_amount: z.string(),
    bonus_cents: z.int(),
    total: z.string(),
    total_cents: z.int(),
    currency: z.literal("EUR"),
    promo: z
      .object({ code: z.string(), percentage: z.int(), state: z.enum(promoStates) })
      .nullable(),
    created_at: timestamp,
    expires_at: timestamp.describe("Until when it can be paid"),
  })
  .meta({ id: "PaymentIntent" });

export const transactionTypes = [
  "top_up",
  "promo_bonus",
  "purchase",
  "renewal",
  "refund",
  "dispute",
  "adjustment",
] as const;
export const transactionMethods = ["stripe", "paypal", "balance", "promo", "operator"] as const;
export const transactionStatuses = ["completed", "pending", "review", "cancelled"] as const;

export const transaction = z
  .object({
    id: uuid,
    transaction_id: z.string().describe("What people quote to support"),
    type: z.enum(transactionTypes),
    payment_method: z.enum(transactionMethods),
    is_sandbox: z.boolean(),
    description: z.string().describe("What it was for, in the language of the request"),
    amount: z.string().describe("Signed decimal string: above 0 into the balance"),
    amount_cents: z.int(),
    currency: z.literal("EUR"),
    status: z.enum(transactionStatuses),
    created_at: timestamp,
  })
  .meta({ id: "Transaction" });

export const paymentOptions = z
  .object({
    methods: z.array(
      z.object({
        payment_method: z.enum(paymentMethods),
        mode: z.enum(["live", "sandbox", "unavailable"]),
      }),
    ),
    minimum: z.int().describe("Whole euros"),
    maximum: z.int().describe("Whole euros that may still be topped up today"),
    vat: callerVat.describe("What comes on top of the price of a plan"),
  })
  .meta({ id: "PaymentOptions" });

export type PromoQuote = z.infer<typeof promoQuote>;
export type PaymentIntent = z.infer<typeof paymentIntent>;
export type Transaction = z.infer<typeof transaction>;
export type PaymentOptions = z.infer<typeof paymentOptions>;

export const getPaymentOptions = route({
  id: "billing.options",
  method: "GET",
  path: "/billing/options",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "How the caller can pay, and how much today",
  success: 200,
  response: paymentOptions,
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

const checkoutUrl = z.string().describe("Absolute, or a path of this site for the sandbox");

const checkoutErrors = [
  "unauthenticated",
  "payment_unavailable",
  "promo_invalid",
  "daily_limit",
  "idempotency_mismatch",
  "idempotency_in_progress",
] as const;

export const createStripeIntent = route({
  id: "billing.createStripeIntent",
  method: "POST",
  path: "/billing/stripe/create-intent",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Begin a top-up by card or bank",
  body: checkoutBody,
  success: 201,
  response: z.object({ checkout_url: checkoutUrl, intent: paymentIntent }),
  errors: checkoutErrors,
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
  idempotent: true,
});

export const createPaypalOrder = route({
  id: "billing.createPaypalOrder",
  method: "POST",
  path: "/billing/paypal/create-order",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Begin a top-up by PayPal",
  body: checkoutBody,
  success: 201,
  response: z.object({ approval_url: checkoutUrl, intent: paymentIntent }),
  errors: checkoutErrors,
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
  idempotent: true,
});

export const validatePromoCode = route({
  id: "billing.validatePromoCode",
  method: "POST",
  path: "/billing/validate-promo-code",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "What a promo code adds to an amount",
  body: validatePromoCodeBody,
  success: 200,
  response: promoQuote,
  errors: ["unauthenticated", "promo_invalid"],
  limits: [{ per: "user", max: 30, windowSeconds: 600 }],
});

const intentParams = z.object({ id: uuid });

export const getIntent = route({
  id: "billing.intent",
  method: "GET",
  path: "/billing/intents/:id",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "What became of a top-up",
  params: intentParams,
  success: 200,
  response: z.object({ intent: paymentIntent }),
  errors: ["unauthenticated", "not_found"],
  limits: defaultLimits.read,
});

export const confirmIntent = route({
  id: "billing.confirmIntent",
  method: "POST",
  path: "/billing/intents/:id/confirm",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Ask the provider about a top-up now",
  params: intentParams,
  success: 200,
  response: z.object({ intent: paymentIntent }),
  errors: ["unauthenticated", "not_found"],
  limits: [{ per: "user", max: 60, windowSeconds: 600 }],
});

export const closeIntent = route({
  id: "billing.closeIntent",
  method: "POST",
  path: "/billing/intents/:id/close",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Close the checkout of an unpaid top-up",
  params: intentParams,
  success: 200,
  response: z.object({ intent: paymentIntent }),
  errors: ["unauthenticated", "not_found"],
  limits: [{ per: "user", max: 60, windowSeconds: 600 }],
});

export const listTransactions = route({
  id: "billing.transactions",
  method: "GET",
  path: "/billing/transactions",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "List transactions, newest first",
  querystring: pageQuery.extend({
    per_page: pageQuery.shape.per_page.unwrap().default(15),
    status: z.enum(transactionStatuses, "status.invalid").optional(),
    type: z.enum(transactionTypes, "transaction_type.invalid").optional(),
    payment_method: z.enum(transactionMethods, "transaction_method.invalid").optional(),
  }),
  success: 200,
  response: paged(transaction),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const getTransaction = route({
  id: "billing.transaction",
  method: "GET",
  path: "/billing/transactions/:id",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "One transaction",
  params: z.object({ id: uuid }),
  success: 200,
  response: z.object({ transaction }),
  errors: ["unauthenticated", "not_found"],
  limits: defaultLimits.read,
});

/** The providers that may send events; one that is not configured gets 404. */
export const webhookProviders = ["stripe", "paypal", "sandbox"] as const;

export const receiveWebhook = route({
  id: "billing.webhook",
  method: "POST",
  path: "/webhooks/:provider",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Takes a payment provider's signed event; what it says is read again at the provider",
  params: z.object({ provider: z.enum(webhookProviders) }),
  rawBody: true,
  success: 200,
  response: acknowledgement,
  errors: ["not_found"],
  limits: [{ per: "ip", max: 1_200, windowSeconds: 60 }],
});

export const billingRoutes = {
  getPaymentOptions,
  createStripeIntent,
  createPaypalOrder,
  validatePromoCode,
  getIntent,
  confirmIntent,
  closeIntent,
  listTransactions,
  getTransaction,
  receiveWebhook,
};
