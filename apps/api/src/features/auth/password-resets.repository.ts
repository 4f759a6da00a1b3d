import type { Insertable, Selectable } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { CallerClass } from "#src/platform/http/pipeline/known-callers.ts";
import type { PasswordResetsTable } from "#src/schema/accounts.ts";
import { mailedCodes, triesMax } from "./mailed-codes.repository.ts";

type PasswordResetRow = Selectable<PasswordResetsTable>;

export const {
  use: useReset,
  voidAll: voidAllResets,
  deleteExpired: deleteOldResets,
} = mailedCodes("password_resets");

/** Each class of callers has tries of its own, so that strangers do not use up the owner's. */
const triesColumns = {
  stranger: "tries",
  network: "network_tries",
  device: "device_tries",
} as const satisfies Record<CallerClass, keyof PasswordResetsTable>;

export async function insertReset(
  executor: Executor,
  row: Insertable<PasswordResetsTable>,
): Promise<void> {
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
 * Takes one of the caller's tries of every live code of the address, at most one for each class of
 * callers. One statement on its own, before the codes are compared, so that of any number of guesses
 * at once no more than `triesMax` are ever evaluated.
 */
export async function takeResetTries(
  db: Db,
  {
    emailKey,
    caller,
    now,
  }: { readonly emailKey: string; readonly caller: CallerClass; readonly now: Date },
): Promise<Pick<PasswordResetRow, "id" | "user_id" | "code_hash">[]> {
  const column = triesColumns[caller];
  return db
    .updateTable("password_resets")
    .set((eb) => ({ [column]: eb(column, "+", 1) }))
    .where("email_key", "=", emailKey)
    .where(column, "<", triesMax)
    .where("void_at", "is", null)
    .where("expires_at", ">", now)
    .returning(["id", "user_id", "code_hash"])
    .execute();
}

/** A code was right, so this try was no guess: the next step needs the code again. */
export async function returnResetTries(
  executor: Executor,
  taken: { readonly ids: readonly string[]; readonly caller: CallerClass },
): Promise<void> {
  const column = triesColumns[taken.caller];
  await executor
    .updateTable("password_resets")
    .set((eb) => ({ [column]: eb(column, "-", 1) }))
    .where("id", "in", taken.ids)
    .execute();
}

/** Codes of the address that callers of these classes asked for. */
export async function voidResetsAskedBy(
  trx: Trx,
  of: { readonly emailKey: string; readonly askedBy: readonly CallerClass[]; readonly now: Date },
): Promise<void> {
  await trx
    .updateTable("password_resets")
    .set({ void_at: of.now })
    .where("email_key", "=", of.emailKey)
    .where("asked_by", "in", of.askedBy)
    .where("void_at", "is", null)
    .execute();
}
