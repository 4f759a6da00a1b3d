import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

export type LedgerRow = Awaited<ReturnType<typeof selectLedger>>[number];

function ledgerOf(db: Executor, userId: string) {
  return db
    .selectFrom("ledger_txns")
    .innerJoin("ledger_postings", "ledger_postings.txn_id", "ledger_txns.id")
    .innerJoin("ledger_accounts", "ledger_accounts.id", "ledger_postings.account_id")
    .where("ledger_accounts.user_id", "=", userId)
    .where("ledger_accounts.kind", "in", ["cash", "bonus"]);
}

/** Entries that moved a user's cash and bonus, the newest first. */
export function selectLedger(
  db: Executor,
  userId: string,
  window: { readonly limit: number; readonly offset: number },
) {
  const centsOf = (kind: "cash" | "bonus") =>
    sql<string>`coalesce(sum(ledger_postings.cents) filter (where ledger_accounts.kind = ${kind}), 0)`;
  return ledgerOf(db, userId)
    .select([
      "ledger_txns.id",
      "ledger_txns.kind",
      "ledger_txns.business_key",
      "ledger_txns.note",
      "ledger_txns.created_at",
      centsOf("cash").as("cash_cents"),
      centsOf("bonus").as("bonus_cents"),
    ])
    .groupBy([
      "ledger_txns.id",
      "ledger_txns.kind",
      "ledger_txns.business_key",
      "ledger_txns.note",
      "ledger_txns.created_at",
    ])
    .orderBy("ledger_txns.created_at", "desc")
    .orderBy("ledger_txns.id", "desc")
    .limit(window.limit)
    .offset(window.offset)
    .execute();
}

export async function countLedger(db: Executor, userId: string): Promise<number> {
  const { rows } = await ledgerOf(db, userId)
    .select(sql<string>`count(distinct ledger_txns.id)`.as("rows"))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

function recordOf(db: Executor, userId: string) {
  const subject = JSON.stringify({ userId });
  return db
    .selectFrom("staff_actions")
    .where(sql<boolean>`staff_actions.subjects @> ${subject}::jsonb`);
}

export type RecordRow = Awaited<ReturnType<typeof selectRecord>>[number];

/** The staff's calls about a user, newest first. */
export function selectRecord(
  db: Executor,
  userId: string,
  window: { readonly limit: number; readonly offset: number },
) {
  return recordOf(db, userId)
    .leftJoin("users", "users.id", "staff_actions.staff_id")
    .select([
      "staff_actions.audit_id as id",
      "users.email as staff",
      "staff_actions.route",
      "staff_actions.reason",
      "staff_actions.response_status",
      "staff_actions.created_at",
    ])
    .orderBy("staff_actions.created_at", "desc")
    .orderBy("staff_actions.audit_id", "desc")
    .limit(window.limit)
    .offset(window.offset)
    .execute();
}

export async function countRecord(db: Executor, userId: string): Promise<number> {
  const { rows } = await recordOf(db, userId)
    .select((eb) => eb.fn.countAll<string>().as("rows"))
    .executeTakeFirstOrThrow();
  return Number(rows);
}
