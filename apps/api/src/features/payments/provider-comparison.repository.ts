import { readCents } from "#src/features/ledger/money.service.ts";
import { sql } from "kysely";
import type { Db, Executor } from "#src/platform/database/db.ts";
import type { SystemAccountKind } from "#src/schema/ledger.ts";
import type { ProviderName } from "#src/schema/payments.ts";
import type { ClearingEntry, DayComparison } from "./provider-comparison.policy.ts";

/** A payment leaves the clearing account: there the provider's money is below 0. */
export async function selectClearingEntries(
  db: Executor,
  account: SystemAccountKind,
  from: Date,
): Promise<ClearingEntry[]> {
  const rows = await db
    .selectFrom("ledger_accounts")
    .innerJoin("ledger_postings", "ledger_postings.account_id", "ledger_accounts.id")
    .innerJoin("ledger_txns", "ledger_txns.id", "ledger_postings.txn_id")
    .select(["ledger_txns.business_key", "ledger_postings.cents", "ledger_txns.created_at"])
    .where("ledger_accounts.kind", "=", account)
    .where("ledger_txns.created_at", ">=", from)
    .execute();
  return rows.map(({ business_key: businessKey, cents, created_at: at }) => ({
    businessKey,
    cents: 0 - readCents(cents),
    at,
  }));
}

/**
 * The ids among these that are or were in quarantine: references of a provider, and intents whose own
 * payment it was, not a refund or dispute of it.
 */
export async function selectQuarantined(
  db: Executor,
  provider: ProviderName,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ reference: string; intent_id: string | null }>`
    select q.reference, i.id as intent_id
    from quarantined_payments q
    left join payment_intents i on i.id = q.intent_id and i.reference = q.reference
    where q.provider = ${provider}
      and (q.reference = any(${ids}::text[]) or i.id::text = any(${ids}::text[]))
  `.execute(db);
  return new Set(
    rows.flatMap(({ reference, intent_id: intent }) => [reference, intent ?? []].flat()),
  );
}

/** The intents of a provider among these ids that are not credited. */
export async function selectUncredited(
  db: Executor,
  provider: ProviderName,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("payment_intents")
    .select("id")
    .where("provider", "=", provider)
    .where("id", "in", ids)
    .where("status", "not in", ["completed", "review"])
    .where("resolved_at", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

export async function storeDay(
  db: Db,
  provider: ProviderName,
  comparison: DayComparison,
  at: Date,
): Promise<void> {
  const values = {
    provider_cents: comparison.providerCents,
    ledger_cents: comparison.ledgerCents,
    differences: JSON.stringify(comparison.differences),
    checked_at: at,
  };
  await db
    .insertInto("provider_days")
    .values({ provider, day: comparison.day, ...values })
    .onConflict((conflict) => conflict.columns(["provider", "day"]).doUpdateSet(values))
    .execute();
}
