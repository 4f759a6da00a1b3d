import type { BigIntText, Generated, Timestamp } from "./columns.ts";

/** The mails about the end of a period, in their order. */
export type RenewalNotice = "low" | "ending" | "failed" | "grace" | "last_day";

interface SubscriptionsTable {
  shield_id: string;
  pricing_plan_id: string;
  price_cents: BigIntText;
  anchor_at: Timestamp;
  /** 1 is the first. */
  period: number;
  period_starts_at: Timestamp;
  period_ends_at: Timestamp;
  next_renewal_at: Generated<Date | null>;
  failed_renewals: Generated<number>;
  told: Generated<RenewalNotice | null>;
  planned_plan_id: Generated<string | null>;
  /** The price of each period from then on, as the owner saw it. */
  planned_price_cents: Generated<string | null>;
  created_at: Timestamp;
}

interface SupportSubscriptionsTable {
  user_id: string;
  support_plan_id: string;
  price_cents: BigIntText;
  anchor_at: Timestamp;
  period: number;
  period_starts_at: Timestamp;
  period_ends_at: Timestamp;
  next_renewal_at: Timestamp;
  failed_renewals: Generated<number>;
  told: Generated<"low" | "failed" | null>;
  /** The operator gave the first period away. */
  first_is_given: Generated<boolean>;
  planned_plan_id: Generated<string | null>;
  /** The price of each period from then on, as the owner saw it. */
  planned_price_cents: Generated<string | null>;
  created_at: Timestamp;
}

interface PlanChangeQuotesTable {
  id: string;
  user_id: string;
  /** Null: a change of the account's support plan. */
  shield_id: string | null;
  plan_id: string;
  cents: BigIntText;
  price_cents: BigIntText;
  from_plan_id: string | null;
  period_ends_at: Timestamp | null;
  created_at: Timestamp;
  expires_at: Timestamp;
}

interface AutomaticTopUpsTable {
  user_id: string;
  enabled: boolean;
  threshold_cents: BigIntText;
  amount_cents: BigIntText;
  charges: Generated<number>;
  failures: Generated<number>;
  next_try_at: Timestamp;
  updated_at: Timestamp;
}

export interface SubscriptionsTables {
  subscriptions: SubscriptionsTable;
  support_subscriptions: SupportSubscriptionsTable;
  plan_change_quotes: PlanChangeQuotesTable;
  automatic_top_ups: AutomaticTopUpsTable;
}
