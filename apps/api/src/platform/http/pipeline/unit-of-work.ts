import type { Trx } from "#src/platform/database/db.ts";

/**
 * How a request's changes are committed: opened by `mount`, which adds the audit row and,
 * for a request with an Idempotency-Key, the stored answer.
 */
export interface UnitOfWorkScope {
  run<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
}

/**
 * Runs `work` in one transaction together with the audit row of the request. Everything a
 * use case changes belongs in one call; jobs and mails are sent through the same `trx`.
 *
 * @example
 * return unitOfWork(ctx, async (trx) => { await insertShield(trx, row); return row; });
 */
export function unitOfWork<T>(
  ctx: { readonly scope: UnitOfWorkScope },
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  return ctx.scope.run(work);
}
