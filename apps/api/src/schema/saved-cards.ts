import type { BigIntText, Generated, Timestamp } from "./columns.ts";

interface PaymentCustomersTable {
  user_id: string;
  provider_account: string;
  customer_id: string;
  created_at: Timestamp;
}

interface SavedCardsTable {
  id: string;
  user_id: string;
  provider_account: string;
  customer_id: string;
  payment_method: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  is_default: Generated<boolean>;
  created_at: Timestamp;
  removed_at: Timestamp | null;
  warned_expiry: string | null;
}

interface CardSetupsTable {
  id: string;
  user_id: string;
  provider_account: string;
  reference: string | null;
  status: "open" | "completed" | "ended";
  created_at: Timestamp;
  next_poll_at: Timestamp;
}

interface PaymentRefundsTable {
  id: string;
  intent_id: string;
  cents: BigIntText;
  request_key: string;
  reason: string;
  status: "requested" | "ordered" | "failed";
  failure: string | null;
  created_at: Timestamp;
  tries: Generated<number>;
  next_try_at: Timestamp;
}

export interface SavedCardsTables {
  payment_customers: PaymentCustomersTable;
  saved_cards: SavedCardsTable;
  card_setups: CardSetupsTable;
  payment_refunds: PaymentRefundsTable;
}
