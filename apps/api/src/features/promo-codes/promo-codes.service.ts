import { commandEntry } from "#src/features/audit/audit.service.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { newId } from "#src/platform/database/ids.ts";
import { bonusCentsOf, isLeft, isWithinWindow, readCode } from "./promo-codes.policy.ts";
import {
  countClaimsOf,
  endPromoCode,
  insertClaim,
  insertPromoCode,
  lockPromoCode,
  selectPromoCode,
  selectPromoCodes,
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
 * The bonus that a code would add to an amount. It claims nothing: until the payment arrives, other
 * users may use the code up.
 *
 * @param path field of the request that holds the code
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
  // All reasons get the same answer, so that codes cannot be found by trying.
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
 * Claims a promised code for a paid intent, in the transaction that credits it. The code's dates
 * were checked when the checkout started: a slow bank does not cost the payer their bonus.
 *
 * @returns false if other users have used it up since then
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

/** Counts the user's own claims only if the code has a limit per user. */
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
 * Adds a code from the command line, with a row in the system's audit log.
 *
 * @returns false if a code of this name exists already
 */
export function addPromoCode(
  { db, audit }: { readonly db: Db; readonly audit: AuditLog },
  code: NewPromoCode,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const isNew = await addPromoCodeIn(trx, code, now);
    if (isNew) {
      const row = { chain: "system", status: 201, at: now };
      await audit.append(trx, commandEntry(`promo add ${code.code}`, row));
    }
    return isNew;
  });
}

/** The same in a transaction whose caller puts it on record. */
export function addPromoCodeIn(trx: Trx, code: NewPromoCode, now: Date): Promise<boolean> {
  return insertPromoCode(trx, {
    id: newId(),
    code: code.code,
    percentage: code.percentage,
    starts_at: now,
    ends_at: code.endsAt,
    per_user_max: code.perUserMax,
    total_max: code.totalMax,
    created_at: now,
  });
}

/** As `stopPromoCode`, in a transaction whose caller puts it on record. */
export const stopPromoCodeIn = (trx: Trx, code: string, now: Date): Promise<boolean> =>
  endPromoCode(trx, code, now);

export const listPromoCodes = (db: Executor): Promise<PromoCodeRow[]> => selectPromoCodes(db);

/**
 * Ends a code now, with a row in the system's audit log. Checkouts that were started with it keep
 * their bonus.
 *
 * @returns false if there is no such code, or it has ended before
 */
export function stopPromoCode(
  { db, audit }: { readonly db: Db; readonly audit: AuditLog },
  code: string,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const isEnded = await endPromoCode(trx, code, now);
    if (isEnded) {
      const row = { chain: "system", status: 200, at: now };
      await audit.append(trx, commandEntry(`promo end ${code}`, row));
    }
    return isEnded;
  });
}
