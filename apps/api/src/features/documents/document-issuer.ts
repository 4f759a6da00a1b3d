import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { readCents } from "#src/features/ledger/money.service.ts";
import type { DocumentSubject, TaxDecision } from "#src/schema/documents.ts";
import {
  deleteDue,
  insertDocument,
  selectDocumentOf,
  selectDue,
  selectNewestSellerId,
  takeIssuing,
  takeNumber,
  type CorrectedDocument,
  type DueRow,
} from "./issuing.repository.ts";

/** Numbers of one transaction: few, so that the one who fails repeats little. */
const perTransaction = 50;

export interface IssuerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly failpoint: Failpoint;
}

/**
 * Gives every txn that waits for one its document, and the document the next number. Number, document
 * and the end of waiting are one transaction, and one issuer at a time gives numbers: a crash or a race
 * leaves neither a gap nor a second document.
 *
 * @returns how many were issued; fewer than wait if another process is at it
 */
export async function issueDocuments(deps: IssuerDeps): Promise<number> {
  let issued = 0;
  for (;;) {
    const batch = await deps.db.transaction().execute((trx) => issueBatch(trx, deps));
    issued += batch;
    if (batch < perTransaction) return issued;
  }
}

async function issueBatch(trx: Trx, { clock, failpoint }: IssuerDeps): Promise<number> {
  if (!(await takeIssuing(trx))) return 0;
  const due = await selectDue(trx, perTransaction);
  if (due.length === 0) return 0;
  const sellerId = await selectNewestSellerId(trx);
  for (const row of due) {
    await issue(trx, row, { sellerId, now: clock.now() });
    failpoint("document-numbered");
  }
  return due.length;
}

async function issue(
  trx: Trx,
  row: DueRow,
  { sellerId, now }: { readonly sellerId: string; readonly now: Date },
): Promise<void> {
  const corrected = row.kind === "credit_note" ? await correctedBy(trx, row) : undefined;
  // Money does not move after its document, even if this process's clock is behind.
  const at = new Date(Math.max(now.getTime(), row.supplied_at.getTime()));
  const { number, issuedAt } = await takeNumber(trx, row.kind, at);
  await insertDocument(trx, {
    id: newId(),
    txnId: row.txn_id,
    userId: row.user_id,
    kind: row.kind,
    year: at.getUTCFullYear(),
    number,
    seller_id: sellerId,
    buyer: row.buyer,
    tax: row.tax ?? corrected?.tax ?? noTax,
    subject: { ...corrected?.subject, ...subjectOf(row) },
    payment_method: methodOf(row),
    corrects_id: corrected?.id ?? null,
    ...amountsOf(row),
    suppliedAt: row.supplied_at,
    issuedAt,
  });
  await deleteDue(trx, row.txn_id);
}

const noTax: TaxDecision = { treatment: "none", rate_bp: 0, country: null, evidence: null };

/** The document of what a refund, dispute or reversal takes back. */
async function correctedBy(trx: Trx, row: DueRow): Promise<CorrectedDocument | undefined> {
  if (row.corrects_key === null) return undefined;
  return selectDocumentOf(trx, row.user_id, row.corrects_key);
}

function amountsOf(row: DueRow): { readonly netCents: number; readonly taxCents: number } {
  const userCents = readCents(row.user_cents);
  if (row.clearing !== null) return { netCents: userCents, taxCents: 0 };
  const taxCents = readCents(row.vat_cents);
  return { netCents: -userCents - taxCents, taxCents };
}

function methodOf({ clearing, intent_method: method }: DueRow): "stripe" | "paypal" | "balance" {
  if (clearing === null) return "balance";
  return clearing === "paypal_clearing" ? "paypal" : (method ?? "stripe");
}

function subjectOf(row: DueRow): DocumentSubject {
  const { server_name: server, plan_en: en, plan_ru: ru, charged_for: charged } = row;
  return {
    txn: row.txn,
    ...(server === null || server === "" ? {} : { server }),
    ...(en === null || ru === null ? {} : { plan: { en, ru } }),
    ...(row.is_support ? { is_support: true } : {}),
    ...(charged && { period: { starts_at: charged.starts_at, ends_at: charged.ends_at } }),
    ...(row.clearing === "sandbox_clearing" ? { is_sandbox: true } : {}),
  };
}
