import type { TryChallenge } from "@palisade/contract/edge/plain-values";
import type { Executor, Trx } from "#src/platform/database/db.ts";

export interface TryAddressRow {
  readonly host: string;
  readonly challenge: TryChallenge;
  readonly created_at: Date;
  readonly expires_at: Date;
}

export function selectTryAddress(
  db: Executor,
  shieldId: string,
): Promise<TryAddressRow | undefined> {
  return db
    .selectFrom("shield_try_addresses")
    .select(["host", "challenge", "created_at", "expires_at"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirst();
}

export async function setTryAddress(trx: Trx, shieldId: string, row: TryAddressRow): Promise<void> {
  await trx
    .insertInto("shield_try_addresses")
    .values({ shield_id: shieldId, ...row })
    .onConflict((conflict) => conflict.column("shield_id").doUpdateSet({ ...row }))
    .execute();
}

/** @returns whether there was one */
export async function deleteTryAddress(trx: Trx, shieldId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("shield_try_addresses")
    .where("shield_id", "=", shieldId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the address if its time is over. @returns whether it was deleted */
export async function deleteEndedTry(trx: Trx, shieldId: string, now: Date): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("shield_try_addresses")
    .where("shield_id", "=", shieldId)
    .where("expires_at", "<=", now)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
