import type {
  intentStatuses,
  PaymentMethod,
  promoStates,
  webhookProviders,
} from "@palisade/contract/http/billing";
import type { BigIntText, Generated, Timestamp } from "./columns.ts";

export type ProviderName = (typeof webhookProviders)[number];
export type IntentStatus = (typeof intentStatuses)[number];
/**
 * - `checkout` a payer ordered it
 * - `saved_card` a saved card is charged
 * - `authentication` a checkout that the payer is sent, because the bank wants to see them
 */
export type IntentOrigin = "checkout" | "saved_card" | "authentication";
export type PromoState = (typeof promoStates)[number];

interface PromoCodesTable {
  id: string;
  code: string;
  percentage: number;
  starts_at: Timestamp;
  ends_at: Timestamp | null;
  per_user_max: number | null;
  total_max: number | null;
  created_at: Timestamp;
  /** How many rows of promo_claims it has. */
  claims: Generated<number>;
}

interface PaymentIntentsTable {
  id: string;
  user_id: string;
  payment_method: PaymentMethod;
  provider: ProviderName;
  provider_account: string;
  /** Null until the provider has answered the order. */
  reference: string | null;
  amount_cents: BigIntText;
  currency: "EUR";
  promo_code_id: string | null;
  promo_state: PromoState | null;
  /** The promised bonus, and after the credit the credited one. */
  bonus_cents: BigIntText;
  status: IntentStatus;
  review_reason: string | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  settled_at: Timestamp | null;
  /** When the provider reported that it takes no payment any more. */
  closed_at: Timestamp | null;
  /** When staff resolved its case in quarantine: nothing changes it any more. */
  resolved_at: Generated<Date | null>;
  polls: Generated<number>;
  /** Null when the intent is not polled any more. */
  next_poll_at: Timestamp | null;
  origin: Generated<IntentOrigin>;
  /** The reason of a charge of a saved card; null for top-ups that a payer ordered. */
  business_key: Generated<string | null>;
  charged_customer: Generated<string | null>;
  charged_card: Generated<string | null>;
}

interface PromoClaimsTable {
  intent_id: string;
  promo_code_id: string;
  user_id: string;
  bonus_cents: BigIntText;
  claimed_at: Timestamp;
}

interface ProviderEventsTable {
  id: string;
  provider: ProviderName;
  event_id: string;
  type: string;
  reference: string | null;
  body: string;
  received_at: Timestamp;
  worked_at: Timestamp | null;
  tries: Generated<number>;
  /** When the poller processes the event if its job has not. */
  next_try_at: Timestamp;
}

/** The sandbox provider's own records. */
interface SandboxCheckoutsTable {
  reference: string;
  order_id: string;
  payment_method: PaymentMethod;
  amount_cents: BigIntText;
  currency: string;
  account: string;
  status: "open" | "paid" | "cancelled";
  success_path: string;
  cancel_path: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  /** The saved card that is charged; null for a checkout. */
  card: Generated<string | null>;
}

/** The cards that the sandbox provider keeps. */
interface SandboxCardsTable {
  payment_method: string;
  customer_id: string;
  setup_id: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  removed_at: Timestamp | null;
}

export interface PaymentsTables {
  promo_codes: PromoCodesTable;
  promo_claims: PromoClaimsTable;
  payment_intents: PaymentIntentsTable;
  provider_events: ProviderEventsTable;
  sandbox_checkouts: SandboxCheckoutsTable;
  sandbox_cards: SandboxCardsTable;
}
