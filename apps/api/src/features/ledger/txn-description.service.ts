import type { Trx } from "#src/platform/database/db.ts";
import { selectPostings } from "./ledger.repository.ts";

/**
 * The user whose money a txn moved, and how much.
 *
 * @returns undefined if there is no txn of this key
 */
export async function describeTxn(
  trx: Trx,
  businessKey: string,
): Promise<{ readonly userId: string | null; readonly cents: number } | undefined> {
  const postings = await selectPostings(trx, businessKey);
  if (postings.length === 0) return undefined;
  const userId = postings.find((posting) => posting.userId !== null)?.userId ?? null;
  const cents = postings.filter((posting) => posting.cents > 0).map((posting) => posting.cents);
  return { userId, cents: cents.reduce((sum, each) => sum + each, 0) };
}
