import { commandEntry, createAuditLog } from "#src/features/audit/audit.service.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { newId } from "#src/platform/database/ids.ts";
import { bonusCentsOf, isLeft, isWithinWindow, readCode } from "./promo-codes.policy.ts";
import {
  countClaimsOf,
  insertClaim,
  insertPromoCode,
  lockPromoCode,
  selectPromoCode,
  type PromoCodeRow,
} from "./promo-codes.repository.ts";

export interface PromoOffer {
  readonly promoCodeId: string;
  readonly code: string;
  readonly percentage: number;
  readonly bonusCents: number;
}

export interface PromoOrder {
  readonly code: string;
  readonly userId: string;
  readonly amountCents: number;
  readonly now: Date;
}

/**
 * What a code would add to an amount. Claims nothing: until the money is there, somebody else
 * may use the code up.
 *
 * @param path field of the request the code stands in
 * @throws DomainError `promo_invalid`: unknown, not yet or no longer valid, or used up
 */
export async function quotePromoCode(
  db: Executor,
  order: PromoOrder,
  path: string,
): Promise<PromoOffer> {
  const name = readCode(order.code);
  const code = name === null ? undefined : await selectPromoCode(db, name);
  const isValid =
    code !== undefined &&
    isWithinWindow(code, order.now) &&
    (await isLeftFor(db, code, order.userId));
  // One answer for all of them, so that codes cannot be found by trying.
  if (!isValid) {
    throw new DomainError("promo_invalid", { issues: [{ path, code: "error.promo_invalid" }] });
  }
  return {
    promoCodeId: code.id,
    code: code.code,
    percentage: code.percentage,
    bonusCents: bonusCentsOf(order.amountCents, code.percentage),
  };
}

/**
 * Uses a promised code for a paid intent, in the transaction that credits it. The code's validity
 * was judged when the checkout began: a slow bank takes nobody's bonus.
 *
 * @returns false where it has been used up in the meantime
 */
export async function claimPromoCode(
  trx: Trx,
  claim: {
    readonly promoCodeId: string;
    readonly userId: string;
    readonly intentId: string;
    readonly bonusCents: number;
    readonly now: Date;
  },
): Promise<boolean> {
  const code = await lockPromoCode(trx, claim.promoCodeId);
  if (!(await isLeftFor(trx, code, claim.userId))) return false;
  await insertClaim(trx, {
    intent_id: claim.intentId,
    promo_code_id: code.id,
    user_id: claim.userId,
    bonus_cents: claim.bonusCents,
    claimed_at: claim.now,
  });
  return true;
}

/** Asks for the user's own claims only where their number matters. */
async function isLeftFor(db: Executor, code: PromoCodeRow, userId: string): Promise<boolean> {
  const ofUser = code.per_user_max === null ? 0 : await countClaimsOf(db, code.id, userId);
  return isLeft(code, ofUser);
}

export interface NewPromoCode {
  readonly code: string;
  readonly percentage: number;
  readonly endsAt: Date | null;
  readonly perUserMax: number | null;
  readonly totalMax: number | null;
}

/**
 * A code from the command line, on the record of the system.
 *
 * @returns false where there is one of this name already
 */
export function addPromoCode(db: Db, code: NewPromoCode, now: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const isNew = await insertPromoCode(trx, {
      id: newId(),
      code: code.code,
      percentage: code.percentage,
      starts_at: now,
      ends_at: code.endsAt,
      per_user_max: code.perUserMax,
      total_max: code.totalMax,
      created_at: now,
    });
    if (isNew) {
      const row = { chain: "system", status: 201, at: now };
      await createAuditLog(db).append(trx, commandEntry(`promo add ${code.code}`, row));
    }
    return isNew;
  });
}
