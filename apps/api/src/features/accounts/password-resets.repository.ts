import type { Selectable } from "kysely";
import type { Db, Executor } from "#src/platform/database/db.ts";
import type { PasswordResetsTable } from "#src/schema/accounts.ts";

export type PasswordResetRow = Selectable<PasswordResetsTable>;

/** Guesses a code stands, whoever makes them, wherever from and at whichever call. */
const triesMax = 5;

export async function insertReset(executor: Executor, row: PasswordResetRow): Promise<void> {
  await executor.insertInto("password_resets").values(row).execute();
}

/** The newest code of an address. */
export async function findNewestReset(
  executor: Executor,
  emailKey: string,
): Promise<PasswordResetRow | undefined> {
  return executor
    .selectFrom("password_resets")
    .selectAll()
    .where("email_key", "=", emailKey)
    .where("void_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Takes one of a code's tries, before it is compared: one statement on its own, so that of any
 * number of guesses at once no more than `triesMax` are ever evaluated (fault 20).
 *
 * @returns the hash to compare with, or undefined where the code is void, expired or out of tries
 */
export async function takeResetTry(db: Db, id: string, now: Date): Promise<string | undefined> {
  const row = await db
    .updateTable("password_resets")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("id", "=", id)
    .where("tries", "<", triesMax)
    .where("void_at", "is", null)
    .where("expires_at", ">", now)
    .returning("code_hash")
    .executeTakeFirst();
  return row?.code_hash;
}

/** The try was no guess: whoever knows the code still needs it for the next step. */
export async function returnResetTry(executor: Executor, id: string): Promise<void> {
  await executor
    .updateTable("password_resets")
    .set((eb) => ({ tries: eb("tries", "-", 1) }))
    .where("id", "=", id)
    .execute();
}

/** @returns false where another request has used the code first */
export async function useReset(executor: Executor, id: string, now: Date): Promise<boolean> {
  const result = await executor
    .updateTable("password_resets")
    .set({ void_at: now })
    .where("id", "=", id)
    .where("void_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function voidResets(executor: Executor, emailKey: string, now: Date): Promise<void> {
  await executor
    .updateTable("password_resets")
    .set({ void_at: now })
    .where("email_key", "=", emailKey)
    .where("void_at", "is", null)
    .execute();
}

export async function deleteOldResets(executor: Executor, before: Date): Promise<void> {
  await executor.deleteFrom("password_resets").where("expires_at", "<", before).execute();
}
