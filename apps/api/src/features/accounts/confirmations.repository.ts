import type { Selectable } from "kysely";
import type { Db, Executor } from "#src/platform/database/db.ts";
import type { EmailConfirmationsTable } from "#src/schema/accounts.ts";

export type ConfirmationRow = Selectable<EmailConfirmationsTable>;

/** Guesses a code stands, whoever makes them and wherever from. */
const triesMax = 5;

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

/**
 * Takes one of a code's tries, before it is compared. One statement on its own, so that of any
 * number of guesses at once no more than `triesMax` are ever evaluated (fault 20).
 *
 * @returns the code to compare with, or undefined where it is void, expired or out of tries
 */
export async function takeTry(
  db: Db,
  id: string,
  now: Date,
): Promise<{ codeHash: string } | undefined> {
  const row = await db
    .updateTable("email_confirmations")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("id", "=", id)
    .where("tries", "<", triesMax)
    .where("void_at", "is", null)
    .where("expires_at", ">", now)
    .returning("code_hash")
    .executeTakeFirst();
  return row === undefined ? undefined : { codeHash: row.code_hash };
}

/** @returns false where another request has used the code first */
export async function useConfirmation(executor: Executor, id: string, now: Date): Promise<boolean> {
  const result = await executor
    .updateTable("email_confirmations")
    .set({ void_at: now })
    .where("id", "=", id)
    .where("void_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function voidConfirmations(
  executor: Executor,
  emailKey: string,
  now: Date,
): Promise<void> {
  await executor
    .updateTable("email_confirmations")
    .set({ void_at: now })
    .where("email_key", "=", emailKey)
    .where("void_at", "is", null)
    .execute();
}

export async function deleteOldConfirmations(executor: Executor, before: Date): Promise<void> {
  await executor.deleteFrom("email_confirmations").where("expires_at", "<", before).execute();
}
