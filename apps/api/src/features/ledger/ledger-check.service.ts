import type { Db } from "#src/platform/database/db.ts";
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
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
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
      const breaks = [...unbalanced, ...wrong, ...overdrawn, ...repeated];
      return { ...(await countLedger(trx)), breaks };
    });
}
