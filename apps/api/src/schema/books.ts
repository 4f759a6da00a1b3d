import type { JSONColumnType } from "kysely";
import type { BigIntText, Generated, Timestamp } from "./columns.ts";
import type { ProviderName } from "./payments.ts";

export type StaffOrderKind = "adjust" | "reverse" | "refund" | "quarantine" | "two-factor-off";
export type StaffOrderStatus = "waiting" | "done" | "rejected";
export type QuarantineStatus = "open" | "credited" | "returned" | "dismissed";

interface StaffOrdersTable {
  id: string;
  kind: StaffOrderKind;
  user_id: string | null;
  details: JSONColumnType<Record<string, string | number>>;
  cents: BigIntText;
  reason: string;
  request_key: string;
  ordered_by: string;
  ordered_at: Timestamp;
  status: StaffOrderStatus;
  decided_by: string | null;
  decided_at: Timestamp | null;
  decision_reason: string | null;
}

interface QuarantinedPaymentsTable {
  id: string;
  provider: ProviderName;
  reference: string;
  intent_id: string | null;
  user_id: string | null;
  reason: string;
  /** By the provider's own record, like currency and account. */
  amount_cents: BigIntText;
  currency: string;
  account: string;
  found_at: Timestamp;
  status: Generated<QuarantineStatus>;
  resolved_by: string | null;
  resolved_at: Timestamp | null;
  resolution_reason: string | null;
}

interface ProviderDaysTable {
  provider: ProviderName;
  /** YYYY-MM-DD in UTC. */
  day: string;
  provider_cents: BigIntText;
  ledger_cents: BigIntText;
  differences: JSONColumnType<string[]>;
  checked_at: Timestamp;
}

interface PurchaseFreezesTable {
  id: string;
  reason: string;
  frozen_by: string | null;
  frozen_at: Timestamp;
  lifted_by: string | null;
  lifted_at: Timestamp | null;
  lift_reason: string | null;
}

export interface BooksTables {
  staff_orders: StaffOrdersTable;
  quarantined_payments: QuarantinedPaymentsTable;
  provider_days: ProviderDaysTable;
  purchase_freezes: PurchaseFreezesTable;
}
