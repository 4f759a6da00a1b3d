import type { BigIntText, Timestamp } from "./columns.ts";

interface SubscriptionsTable {
  shield_id: string;
  pricing_plan_id: string;
  price_cents: BigIntText;
  anchor_at: Timestamp;
  /** 1 is the first. */
  period: number;
  period_starts_at: Timestamp;
  period_ends_at: Timestamp;
  created_at: Timestamp;
}

export interface SubscriptionsTables {
  subscriptions: SubscriptionsTable;
}
