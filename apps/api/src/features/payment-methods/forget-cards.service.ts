import type { Trx } from "#src/platform/database/db.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import { deleteCards } from "./payment-methods.repository.ts";

export const forgettingJob = "payment-methods.forget";

/** Deletes a user's cards, here at once and at the provider by a job. */
export async function forgetCards(trx: Trx, jobs: Jobs, userId: string): Promise<void> {
  for (const customerId of await deleteCards(trx, userId)) {
    await jobs.send(trx, forgettingJob, { customerId });
  }
}
