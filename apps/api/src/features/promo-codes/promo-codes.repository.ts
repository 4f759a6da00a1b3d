import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";
import { sql, type Insertable, type Selectable } from "kysely";

export type PromoCodeRow = Selectable<Database["promo_codes"]>;

/** Codes are stored in upper case. */
export function selectPromoCode(db: Executor, code: string): Promise<PromoCodeRow | undefined> {
  return db.selectFrom("promo_codes").selectAll().where("code", "=", code).executeTakeFirst();
}

/**
 * Locked until `trx` ends, so that of two claims for the last use the second sees the first. A new
 * top-up with the code only refers to the row and does not wait for this lock.
 */
export function lockPromoCode(trx: Trx, id: string): Promise<PromoCodeRow> {
  return trx
    .selectFrom("promo_codes")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export async function countClaimsOf(
  db: Executor,
  promoCodeId: string,
  userId: string,
): Promise<number> {
  const row = await db
    .selectFrom("promo_claims")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("promo_code_id", "=", promoCodeId)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Call it under `lockPromoCode`, because the locked row counts the claims. */
export async function insertClaim(
  trx: Trx,
  claim: Insertable<Database["promo_claims"]>,
): Promise<void> {
  await trx.insertInto("promo_claims").values(claim).execute();
  await trx
    .updateTable("promo_codes")
    .set((eb) => ({ claims: eb("claims", "+", 1) }))
    .where("id", "=", claim.promo_code_id)
    .execute();
}

/** @returns false if the code exists already */
export async function insertPromoCode(
  trx: Trx,
  code: Insertable<Database["promo_codes"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("promo_codes")
    .values(code)
    .onConflict((conflict) => conflict.column("code").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export function selectPromoCodes(db: Executor): Promise<PromoCodeRow[]> {
  return db.selectFrom("promo_codes").selectAll().orderBy("created_at").execute();
}

/** All codes with what their uses added to balances, the newest first. */
export function selectPromoUses(db: Executor) {
  return db
    .selectFrom("promo_codes")
    .selectAll("promo_codes")
    .select([
      sql<string>`(select coalesce(sum(bonus_cents), 0) from promo_claims
        where promo_code_id = promo_codes.id)`.as("bonus_cents"),
      sql<Date | null>`(select max(claimed_at) from promo_claims
        where promo_code_id = promo_codes.id)`.as("last_claimed_at"),
    ])
    .orderBy("created_at", "desc")
    .execute();
}

/** @returns false if there is no such code, or it has ended before */
export async function endPromoCode(trx: Trx, code: string, at: Date): Promise<boolean> {
  const result = await trx
    .updateTable("promo_codes")
    .set((eb) => ({ ends_at: eb.fn("greatest", [eb.val(at), sql`starts_at + interval '1 ms'`]) }))
    .where("code", "=", code)
    .where((eb) => eb.or([eb("ends_at", "is", null), eb("ends_at", ">", at)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
