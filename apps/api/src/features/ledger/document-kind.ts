import type { SystemAccountKind, UserAccountKind } from "#src/schema/ledger.ts";
import type { DocumentKind } from "#src/schema/documents.ts";

interface Movement {
  readonly kind: UserAccountKind | SystemAccountKind;
  readonly userId?: string | undefined;
  readonly cents: number;
}

/**
 * The document that a txn needs, by the accounts that it moves money between. Money of a payment
 * provider makes a receipt, and taken back a credit note; revenue makes an invoice, and reversed a
 * credit note. A bonus and a correction by staff are neither a payment nor a sale.
 */
export function documentKindOf(postings: readonly Movement[]): DocumentKind | null {
  const users = new Set(postings.flatMap(({ userId }) => userId ?? []));
  if (users.size !== 1) return null;
  const ofUser = sumOf(postings.filter(({ userId }) => userId !== undefined));
  if (ofUser === 0) return null;
  if (postings.some(({ kind }) => kind.endsWith("_clearing"))) {
    return ofUser > 0 ? "receipt" : "credit_note";
  }
  if (!postings.some(({ kind }) => kind === "revenue")) return null;
  return ofUser < 0 ? "invoice" : "credit_note";
}

function sumOf(postings: readonly Movement[]): number {
  return postings.reduce((sum, { cents }) => sum + cents, 0);
}
