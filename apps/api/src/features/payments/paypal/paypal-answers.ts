import { z } from "zod";

/** The parts of PayPal's answers that are used; PayPal may add others at any time. */

/** `20.00`, for currencies with two decimals. */
const value = z.string().regex(/^-?\d{1,12}(\.\d{1,2})?$/);

const money = z.object({ currency_code: z.string().length(3), value });

/** PayPal leaves out all but the country of most payers. */
const owner = z.object({ address: z.object({ country_code: z.string().optional() }).optional() });

const link = z.object({ href: z.string(), rel: z.string() });

/** PayPal adds states; an unknown one is not final, so it counts as money under way. */
export const capture = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: money,
  custom_id: z.string().optional(),
  supplementary_data: z
    .object({ related_ids: z.object({ order_id: z.string().optional() }).optional() })
    .optional(),
});

export const refund = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: money.optional(),
  custom_id: z.string().optional(),
});

export const disputeList = z.object({
  items: z.array(z.object({ dispute_id: z.string().min(1) })).default([]),
});

export const dispute = z.object({
  dispute_id: z.string().min(1),
  status: z.string(),
  dispute_amount: money,
  dispute_outcome: z.object({ outcome_code: z.string().optional() }).optional(),
});

export const order = z.object({
  id: z.string().min(1),
  status: z.string(),
  update_time: z.string().optional(),
  payer: owner.optional(),
  payment_source: z.object({ paypal: owner.optional() }).optional(),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().optional(),
        amount: money,
        payee: z.object({ merchant_id: z.string().optional() }).optional(),
        payments: z
          .object({
            captures: z.array(capture).optional(),
            refunds: z.array(refund).optional(),
          })
          .optional(),
      }),
    )
    .min(1),
  links: z.array(link).default([]),
});

/** The first answer to an order may be shorter than its record. */
export const createdOrder = z.object({
  id: z.string().min(1),
  purchase_units: z
    .array(z.object({ payee: z.object({ merchant_id: z.string().optional() }).optional() }))
    .optional(),
  links: z.array(link).default([]),
});

export const verification = z.object({ verification_status: z.string() });

export const webhookEvent = z.object({
  id: z.string().min(1).max(200),
  event_type: z.string().min(1).max(200),
  resource_type: z.string().optional(),
  resource: z
    .object({
      id: z.string().optional(),
      supplementary_data: z
        .object({ related_ids: z.object({ order_id: z.string().optional() }).optional() })
        .optional(),
      disputed_transactions: z
        .array(z.object({ seller_transaction_id: z.string().optional() }))
        .optional(),
      links: z.array(link).optional(),
    })
    .loose(),
});

export const transactionsPage = z.object({
  total_pages: z.int().nonnegative().default(1),
  transaction_details: z
    .array(
      z.object({
        transaction_info: z.object({
          transaction_id: z.string(),
          /** The payment that a refund or reversal is about. */
          paypal_reference_id: z.string().optional(),
          transaction_event_code: z.string(),
          transaction_initiation_date: z.string(),
          transaction_status: z.string().optional(),
          transaction_amount: money,
          custom_field: z.string().optional(),
          invoice_id: z.string().optional(),
        }),
      }),
    )
    .default([]),
});

export type PaypalOrder = z.infer<typeof order>;
export type PaypalWebhookEvent = z.infer<typeof webhookEvent>;

/** `20.00` of 2000 cents. */
export function toPaypalValue(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Cents of `20.00`, `20` or `-0.5`, counted in digits, because fractions are not exact. */
export function readPaypalValue(text: string): number {
  const [, sign = "", euros = "0", cents = ""] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const size = Number(`${euros}${cents.padEnd(2, "0")}`);
  return sign === "" ? size : 0 - size;
}
