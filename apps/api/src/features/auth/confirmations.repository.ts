import type { Selectable } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import type { EmailConfirmationsTable } from "#src/schema/accounts.ts";
import { mailedCodes } from "./mailed-codes.repository.ts";

export type ConfirmationRow = Selectable<EmailConfirmationsTable>;

export const {
  takeTry,
  use: useConfirmation,
  voidAll: voidConfirmations,
  deleteExpired: deleteOldConfirmations,
} = mailedCodes("email_confirmations");

export async function insertConfirmation(executor: Executor, row: ConfirmationRow): Promise<void> {
  await executor.insertInto("email_confirmations").values(row).execute();
}

export async function findByCookie(
  executor: Executor,
  cookieHash: string,
): Promise<ConfirmationRow | undefined> {
  return executor
    .selectFrom("email_confirmations")
    .selectAll()
    .where("cookie_hash", "=", cookieHash)
    .executeTakeFirst();
}

/** The newest code sent to an address; where a password hash is given, for that registration. */
export async function findNewest(
  executor: Executor,
  emailKey: string,
  passwordHash?: string,
): Promise<ConfirmationRow | undefined> {
  return executor
    .selectFrom("email_confirmations")
    .selectAll()
    .where("email_key", "=", emailKey)
    .where("void_at", "is", null)
    .$if(passwordHash !== undefined, (query) =>
      query.where("password_hash", "=", passwordHash ?? ""),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** How many passwords were chosen for the address, used up and expired registrations included. */
export async function countPasswords(
  executor: Executor,
  emailKey: string,
  since: Date,
): Promise<number> {
  const { passwords } = await executor
    .selectFrom("email_confirmations")
    .select((eb) => eb.fn.count<string>("password_hash").distinct().as("passwords"))
    .where("email_key", "=", emailKey)
    .where("user_id", "is not", null)
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(passwords);
}
