import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Insertable } from "kysely";
import type { Database } from "#src/schema/database.ts";
import { emailKeyOf } from "#src/features/users/users.service.ts";

/** The newest replaces the one before it, whose link is void from then on. */
export async function saveEmailChange(
  trx: Trx,
  change: Insertable<Database["email_changes"]>,
): Promise<void> {
  const { user_id: _, ...changes } = change;
  await trx
    .insertInto("email_changes")
    .values(change)
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(changes))
    .execute();
}

export interface TakenChange {
  readonly userId: string;
  readonly newEmail: string;
  readonly oldEmail: string;
}

/** Takes the change a link stands for, once. */
export async function takeEmailChange(
  trx: Trx,
  tokenHash: string,
  now: Date,
): Promise<TakenChange | undefined> {
  const row = await trx
    .deleteFrom("email_changes")
    .using("users")
    .whereRef("users.id", "=", "email_changes.user_id")
    .where("email_changes.token_hash", "=", tokenHash)
    .where("email_changes.is_usable", "=", true)
    .where("email_changes.expires_at", ">", now)
    .returning(["email_changes.user_id", "email_changes.email", "users.email as old_email"])
    .executeTakeFirst();
  return row && { userId: row.user_id, newEmail: row.email, oldEmail: row.old_email };
}

/** The owner of a link, for the audit log, even when the link is no longer valid. */
export async function findChangeOwner(
  db: Executor,
  tokenHash: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("email_changes")
    .select("user_id")
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  return row?.user_id;
}

/** Deletes unconfirmed registrations of an address whose mailbox was just proved to be another's. */
export async function deleteUnconfirmed(trx: Trx, email: string): Promise<void> {
  await trx
    .deleteFrom("users")
    .where("email_key", "=", emailKeyOf(email))
    .where("email_verified_at", "is", null)
    .execute();
}

/** Voids the pending link: an intruder may have requested it. */
export async function deleteEmailChange(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("email_changes").where("user_id", "=", userId).execute();
}

/** Its UNIQUE constraint refuses an address that another account has by now. */
export async function moveUser(trx: Trx, userId: string, email: string): Promise<void> {
  await trx
    .updateTable("users")
    .set({ email, email_key: emailKeyOf(email) })
    .where("id", "=", userId)
    .execute();
}

export async function deleteOldEmailChanges(db: Executor, now: Date): Promise<void> {
  await db.deleteFrom("email_changes").where("expires_at", "<", now).execute();
}
