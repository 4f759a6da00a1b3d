import type { Selectable } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import type { PasswordResetsTable } from "#src/schema/accounts.ts";
import { mailedCodes } from "./mailed-codes.repository.ts";

export type PasswordResetRow = Selectable<PasswordResetsTable>;

export const {
  takeTry: takeResetTry,
  use: useReset,
  voidAll: voidResets,
  deleteExpired: deleteOldResets,
} = mailedCodes("password_resets");

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

/** The code was right, so this try was no guess: the next step needs the code again. */
export async function returnResetTry(executor: Executor, id: string): Promise<void> {
  await executor
    .updateTable("password_resets")
    .set((eb) => ({ tries: eb("tries", "-", 1) }))
    .where("id", "=", id)
    .execute();
}
