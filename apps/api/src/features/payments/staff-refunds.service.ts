import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import { selectIntent } from "./intents.repository.ts";
import { requestRefund, type RefundRequest } from "./refunds.service.ts";

/** The command line has no queue: the schedule of refunds sends this one within a minute. */
const noQueue: Jobs = { send: () => Promise.resolve() };

/** Takes the cents from the payer's cash; the api then has the provider send them back. */
export function refundByStaff(trx: Trx, order: RefundRequest): Promise<string> {
  return requestRefund(trx, noQueue, order);
}

/** The payer of a top-up, and its amount; undefined if there is none of this id. */
export async function payerOf(
  db: Executor,
  intentId: string,
): Promise<{ readonly userId: string; readonly cents: number } | undefined> {
  const intent = await selectIntent(db, intentId);
  return intent && { userId: intent.user_id, cents: intent.amountCents };
}
