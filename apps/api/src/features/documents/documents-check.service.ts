import type { Db } from "#src/platform/database/db.ts";
import { formatCents, readCents } from "#src/features/ledger/money.service.ts";
import {
  selectBackdated,
  selectBrokenSeries,
  selectOverdue,
  selectUndocumented,
  selectWrongAmounts,
} from "./documents-check.repository.ts";

/** The job runs each minute; one that fails for longer is a break. */
const overdueMs = 15 * 60_000;

/**
 * Checks that every txn that needs a document has exactly one with its amounts, and that numbers have no
 * gaps, in one snapshot of the database and without relying on constraints.
 *
 * @returns every broken rule, one line each
 */
export function verifyDocuments(db: Db, now: Date): Promise<readonly string[]> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const euros = (cents: string): string => formatCents(readCents(cents));
      return [
        ...(await selectUndocumented(trx)).map((key) => `txn ${key}: has no document`),
        ...(await selectOverdue(trx, new Date(now.getTime() - overdueMs))).map(
          (key) => `txn ${key}: waits too long for its document`,
        ),
        ...(await selectWrongAmounts(trx)).map(
          ({ business_key: key, total, moved }) =>
            `txn ${key}: its document says ${euros(total)}, but ${euros(moved)} was moved, or its VAT differs`,
        ),
        ...(await selectBrokenSeries(trx)).map(
          ({ kind, year, last, found }) =>
            `${kind} of ${year}: the last number is ${last}, but there are ${found}`,
        ),
        ...(await selectBackdated(trx)).map(
          ({ kind, year, number }) =>
            `${kind} ${number} of ${year}: issued before the one before it`,
        ),
      ];
    });
}
