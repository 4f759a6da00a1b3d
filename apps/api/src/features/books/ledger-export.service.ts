import type { Executor } from "#src/platform/database/db.ts";
import { csvHeader, csvLines, datevHeader, datevLines } from "./ledger-export.presenter.ts";
import {
  selectPostingsOfPeriod,
  selectRevenue,
  type ExportCursor,
  type ExportedPosting,
} from "./ledger-export.repository.ts";
import { chargeOf, recogniseRevenue, type Month } from "./revenue.policy.ts";

export const exportFormats = ["csv", "datev"] as const;
export type ExportFormat = (typeof exportFormats)[number];

const txnsPerStatement = 1_000;

/** The ledger from a moment to another, line by line: it is read in steps, whatever its size. */
export async function* exportLedger(
  db: Executor,
  order: {
    readonly from: Date;
    readonly to: Date;
    readonly format: ExportFormat;
    readonly now: Date;
  },
): AsyncGenerator<string> {
  const { from, to, format, now } = order;
  yield* format === "csv" ? csvHeader() : datevHeader({ from, to, now });
  let after: ExportCursor | null = null;
  for (;;) {
    const postings: ExportedPosting[] = await selectPostingsOfPeriod(db, {
      from,
      to,
      after,
      txnsMax: txnsPerStatement,
    });
    for (const txn of Map.groupBy(postings, ({ txnId }) => txnId).values()) {
      yield* format === "csv" ? csvLines(txn) : datevLines(txn);
    }
    const last = postings.at(-1);
    if (last === undefined) return;
    after = { at: last.at, txnId: last.txnId };
  }
}

/** Revenue by the month in which it is earned, of everything charged before a moment. */
export async function revenueByMonth(
  db: Executor,
  before: Date,
): Promise<ReadonlyMap<Month, number>> {
  return recogniseRevenue((await selectRevenue(db, before)).map(chargeOf));
}
