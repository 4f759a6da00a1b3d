import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import {
  selectChargesWithoutShield,
  selectDifferentDays,
  selectPeriodsNotChargedOnce,
  selectStrayCredits,
  selectSupportNotChargedOnce,
  selectWrongCredits,
} from "./cross-check.repository.ts";
import {
  countLedger,
  selectOverdrawn,
  selectRepeatedKeys,
  selectUnbalancedTxns,
  selectWrongBalances,
} from "./ledger-check.repository.ts";
import { formatCents, readCents } from "./money.service.ts";

export interface LedgerCheck {
  readonly txns: number;
  readonly accounts: number;
  /** Every broken invariant, one line each. */
  readonly breaks: readonly string[];
}

/**
 * Checks the ledger's invariants in one snapshot of the database, so that money that moves during
 * the check does not look like a break. It relies on no constraint, so it also finds rows that were
 * written around them.
 */
export function verifyLedger(db: Db): Promise<LedgerCheck> {
  return inSnapshot(db, async (trx) => ({
    ...(await countLedger(trx)),
    breaks: await ledgerBreaks(trx),
  }));
}

/** The same, and also whether the ledger fits payments, paid periods and providers' lists. */
export function verifyBooks(db: Db): Promise<LedgerCheck> {
  return inSnapshot(db, async (trx) => ({
    ...(await countLedger(trx)),
    breaks: [...(await ledgerBreaks(trx)), ...(await bookBreaks(trx))],
  }));
}

function inSnapshot<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(work);
}

async function ledgerBreaks(trx: Executor): Promise<string[]> {
  const euros = (cents: string): string => formatCents(readCents(cents));
  const unbalanced = (await selectUnbalancedTxns(trx)).map(({ business_key, postings, sum }) =>
    sum === null || Number(postings) < 2
      ? `txn ${business_key}: ${postings} postings`
      : `txn ${business_key}: its postings sum to ${euros(sum)}`,
  );
  const wrong = (await selectWrongBalances(trx)).map(({ name, balance, sum }) =>
    balance === null
      ? `${name}: its balance is missing`
      : `${name}: balance ${euros(balance)}, but its postings sum to ${euros(sum)}`,
  );
  const overdrawn = (await selectOverdrawn(trx)).map(
    ({ name, sum }) => `${name}: ${euros(sum)} without a dispute`,
  );
  const repeated = (await selectRepeatedKeys(trx)).map(
    ({ business_key, times }) => `txn ${business_key}: posted ${times} times`,
  );
  return [...unbalanced, ...wrong, ...overdrawn, ...repeated];
}

/** Every place at which the ledger does not fit what it pays for, or what providers say. */
async function bookBreaks(trx: Executor): Promise<string[]> {
  const euros = (cents: string): string => formatCents(readCents(cents));
  const credits = (await selectWrongCredits(trx)).map(({ id, amount, posted }) =>
    posted === null
      ? `intent ${id}: it is completed, but was not credited`
      : `intent ${id}: ${euros(amount)} were paid and ${euros(posted)} credited`,
  );
  const stray = (await selectStrayCredits(trx)).map(
    ({ business_key, status }) =>
      `txn ${business_key}: its intent is ${status ?? "unknown"}, not completed`,
  );
  const periods = (await selectPeriodsNotChargedOnce(trx)).map(
    ({ shield_id, starts_at, charges }) =>
      `shield ${shield_id}: the period from ${starts_at.toISOString()} was charged ${charges} times`,
  );
  const support = (await selectSupportNotChargedOnce(trx)).map(
    ({ user_id, starts_at, charges }) =>
      `support plan of ${user_id}: the period from ${starts_at.toISOString()} was charged ${charges} times`,
  );
  const orphans = (await selectChargesWithoutShield(trx)).map(
    ({ business_key }) => `txn ${business_key}: there is no such shield`,
  );
  const days = (await selectDifferentDays(trx)).flatMap(({ provider, day, differences }) =>
    differences.map((difference) => `${provider} on ${day}: ${difference}`),
  );
  return [...credits, ...stray, ...periods, ...support, ...orphans, ...days];
}
