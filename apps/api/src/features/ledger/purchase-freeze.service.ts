import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { endFreeze, insertFreeze, selectActiveFreeze } from "./purchase-freeze.repository.ts";

const reasonCharsMax = 2_000;

export interface PurchaseFreeze {
  readonly reason: string;
  readonly since: Date;
}

/** The freeze that holds now; null if purchases are open. */
export async function purchaseFreeze(db: Executor): Promise<PurchaseFreeze | null> {
  const row = await selectActiveFreeze(db);
  return row === undefined ? null : { reason: row.reason, since: row.frozen_at };
}

/**
 * For what an owner buys. Renewals go on while purchases are frozen, because a shield whose renewal
 * waits would lose its protection in the end.
 *
 * @throws DomainError `purchases_frozen`
 */
export async function requirePurchasesOpen(db: Executor): Promise<void> {
  if ((await selectActiveFreeze(db)) === undefined) return;
  throw new DomainError("purchases_frozen");
}

/**
 * Stops purchases until staff lift the freeze. Traffic, renewals and top-ups go on.
 *
 * @param freeze.by the staff member; null for the nightly check
 * @returns false if purchases were frozen already; the first reason stays
 */
export function freezePurchases(
  db: Executor,
  freeze: { readonly reason: string; readonly by: string | null; readonly now: Date },
): Promise<boolean> {
  return insertFreeze(db, {
    id: newId(),
    reason: freeze.reason.slice(0, reasonCharsMax),
    frozen_by: freeze.by,
    frozen_at: freeze.now,
    lifted_by: null,
    lifted_at: null,
    lift_reason: null,
  });
}

/** @returns false if nothing was frozen */
export function liftFreeze(
  trx: Trx,
  lift: { readonly by: string; readonly at: Date; readonly reason: string },
): Promise<boolean> {
  return endFreeze(trx, lift);
}
