import type { Insertable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { PasskeyRow, PasskeysTable } from "#src/schema/passkeys.ts";

/** The user's passkeys, the newest first. */
export function selectPasskeys(db: Executor, userId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom("passkeys")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

export function findByCredential(
  db: Executor,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom("passkeys")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
}

/** @returns false where an account has this very passkey already */
export async function insertPasskey(trx: Trx, row: Insertable<PasskeysTable>): Promise<boolean> {
  const result = await trx
    .insertInto("passkeys")
    .values(row)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export function updateName(
  trx: Trx,
  key: { readonly id: string; readonly userId: string },
  name: string,
): Promise<PasskeyRow | undefined> {
  return trx
    .updateTable("passkeys")
    .set({ name })
    .where("id", "=", key.id)
    .where("user_id", "=", key.userId)
    .returningAll()
    .executeTakeFirst();
}

/** @returns its name, or undefined where the user has no such passkey */
export async function deletePasskey(
  trx: Trx,
  key: { readonly id: string; readonly userId: string },
): Promise<string | undefined> {
  const row = await trx
    .deleteFrom("passkeys")
    .where("id", "=", key.id)
    .where("user_id", "=", key.userId)
    .returning("name")
    .executeTakeFirst();
  return row?.name;
}

/** @returns how many there were */
export async function deletePasskeysOf(trx: Trx, userId: string): Promise<number> {
  const result = await trx.deleteFrom("passkeys").where("user_id", "=", userId).executeTakeFirst();
  return Number(result.numDeletedRows);
}

/**
 * Counts a use that was verified against `verified`.
 *
 * @returns false where the passkey is gone, or another use was counted since: of two answers with
 *   the same count, one is a copy's
 */
export async function countUse(
  trx: Trx,
  verified: Pick<PasskeyRow, "id" | "counter">,
  use: { readonly counter: number; readonly isSynced: boolean; readonly now: Date },
): Promise<boolean> {
  const result = await trx
    .updateTable("passkeys")
    .set({ counter: use.counter, is_synced: use.isSynced, last_used_at: use.now })
    .where("id", "=", verified.id)
    .where("counter", "=", verified.counter)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
