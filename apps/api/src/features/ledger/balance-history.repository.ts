import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

/** What the user's accounts gained or lost on each day since, UTC; days without movement are absent. */
export async function selectDailyChanges(
  db: Executor,
  userId: string,
  since: Date,
): Promise<{ day: string; cents: string }[]> {
  const day = sql<string>`to_char(ledger_txns.created_at at time zone 'UTC', 'YYYY-MM-DD')`;
  return db
    .selectFrom("ledger_accounts")
    .innerJoin("ledger_postings", "ledger_postings.account_id", "ledger_accounts.id")
    .innerJoin("ledger_txns", "ledger_txns.id", "ledger_postings.txn_id")
    .select(({ fn }) => [day.as("day"), fn.sum<string>("ledger_postings.cents").as("cents")])
    .where("ledger_accounts.user_id", "=", userId)
    .where("ledger_txns.created_at", ">=", since)
    .groupBy(day)
    .execute();
}
