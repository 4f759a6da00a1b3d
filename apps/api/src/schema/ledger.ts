import type { ColumnType } from "kysely";
import type { BigIntText, Generated, Timestamp } from "./columns.ts";

/** The accounts of a user. A positive balance is money that the user may spend. */
export type UserAccountKind = "cash" | "bonus";

/** Accounts that money comes from and goes to. Clearing is the money that a payment provider holds. */
export type SystemAccountKind =
  | "stripe_clearing"
  | "paypal_clearing"
  | "sandbox_clearing"
  | "revenue"
  | "promo_expense"
  | "adjustments"
  | "vat_payable";

export type TxnKind =
  | "top_up"
  | "promo_bonus"
  | "purchase"
  | "renewal"
  | "refund"
  | "dispute"
  | "adjustment";

interface LedgerAccountsTable {
  id: string;
  kind: UserAccountKind | SystemAccountKind;
  user_id: string | null;
}

/** User accounts only: every purchase would have to wait for the row of a system account. */
interface LedgerBalancesTable {
  account_id: string;
  /** 0 when new. */
  cents: ColumnType<string, string | number | undefined, string | number>;
  /** Set by a dispute: money that was spent before it is owed. */
  debt_allowed: Generated<boolean>;
}

interface LedgerTxnsTable {
  id: string;
  kind: TxnKind;
  business_key: string;
  note: string | null;
  created_at: Timestamp;
}

interface LedgerPostingsTable {
  txn_id: string;
  account_id: string;
  cents: BigIntText;
}

export interface LedgerTables {
  ledger_accounts: LedgerAccountsTable;
  ledger_balances: LedgerBalancesTable;
  ledger_txns: LedgerTxnsTable;
  ledger_postings: LedgerPostingsTable;
}
