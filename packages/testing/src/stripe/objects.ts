import type { Stripe } from "stripe";

/** The fields of Stripe's objects that the stand-in keeps, with the official SDK's types. */
export type Session = Pick<
  Stripe.Checkout.Session,
  | "id"
  | "object"
  | "amount_total"
  | "cancel_url"
  | "client_reference_id"
  | "created"
  | "currency"
  | "expires_at"
  | "livemode"
  | "metadata"
  | "mode"
  | "payment_status"
  | "status"
  | "success_url"
  | "url"
> & {
  customer: string | null;
  payment_intent: string | null;
  setup_intent: string | null;
};

export type Payment = Pick<
  Stripe.PaymentIntent,
  | "id"
  | "object"
  | "amount"
  | "amount_received"
  | "canceled_at"
  | "created"
  | "currency"
  | "livemode"
  | "metadata"
  | "status"
> & {
  customer: string | null;
  payment_method: string | null;
  latest_charge: string | null;
};

export type Charge = Pick<
  Stripe.Charge,
  | "id"
  | "object"
  | "amount"
  | "amount_refunded"
  | "created"
  | "currency"
  | "disputed"
  | "livemode"
  | "metadata"
  | "paid"
  | "refunded"
> & {
  payment_intent: string;
  payment_method_details: { type: "card"; card: { country: string } };
};

export type Refund = Pick<
  Stripe.Refund,
  "id" | "object" | "amount" | "created" | "currency" | "metadata" | "status"
> & { charge: string; payment_intent: string };

export type Dispute = Pick<
  Stripe.Dispute,
  | "id"
  | "object"
  | "amount"
  | "created"
  | "currency"
  | "is_charge_refundable"
  | "livemode"
  | "metadata"
  | "reason"
  | "status"
> & {
  charge: string;
  payment_intent: string;
  balance_transactions: Pick<Stripe.BalanceTransaction, "id" | "object" | "amount" | "currency">[];
};

/** A line of the account's own list. `source` is an id unless it is expanded. */
export type BalanceTransaction = Pick<
  Stripe.BalanceTransaction,
  | "id"
  | "object"
  | "amount"
  | "created"
  | "currency"
  | "fee"
  | "net"
  | "reporting_category"
  | "status"
  | "type"
> & { source: string };

export type Customer = Pick<Stripe.Customer, "id" | "object" | "created" | "livemode" | "metadata">;

export type Card = Pick<
  Stripe.PaymentMethod,
  "id" | "object" | "created" | "livemode" | "metadata" | "type"
> & {
  customer: string | null;
  card: Pick<Stripe.PaymentMethod.Card, "brand" | "country" | "exp_month" | "exp_year" | "last4">;
};

export type StripeEvent = Pick<
  Stripe.Event,
  "id" | "object" | "api_version" | "created" | "livemode" | "pending_webhooks"
> & {
  type: Stripe.Event.Type;
  request: null;
  data: { object: object; previous_attributes?: object };
};

/** Stripe's error body. */
export interface ErrorBody {
  readonly type: Stripe.StripeRawError["type"];
  readonly code?: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly param?: string;
  readonly payment_intent?: Payment;
}

export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export function refuse(message: string, more: Partial<ErrorBody> = {}): StripeRefusal {
  return new StripeRefusal(400, { type: "invalid_request_error", message, ...more });
}
