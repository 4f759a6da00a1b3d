import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { UserRow } from "#src/schema/accounts.ts";
import { emailKeyOf } from "#src/features/users/users.service.ts";

export async function findUser(executor: Executor, id: string): Promise<UserRow | undefined> {
  return executor.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function findUsername(executor: Executor, userId: string): Promise<string | null> {
  const row = await executor
    .selectFrom("profiles")
    .select("username")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.username ?? null;
}

/** @returns undefined where the address is no longer the user's */
export async function resetPasswordOf(
  trx: Trx,
  user: { readonly id: string; readonly emailKey: string },
  passwordHash: string,
): Promise<UserRow | undefined> {
  return trx
    .updateTable("users")
    .set({ password_hash: passwordHash })
    .where("id", "=", user.id)
    .where("email_key", "=", user.emailKey)
    .returningAll()
    .executeTakeFirst();
}

/** @param login its locale is the language of mails to the user from now on */
export async function markLoggedIn(
  trx: Trx,
  id: string,
  { locale, now }: { readonly locale: UserRow["locale"]; readonly now: Date },
): Promise<void> {
  await trx
    .updateTable("users")
    .set((eb) => ({ locale, first_login_at: eb.fn.coalesce("first_login_at", eb.val(now)) }))
    .where("id", "=", id)
    .execute();
}

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly locale: "en" | "ru";
  readonly privacyVersion: string;
  readonly now: Date;
}

/**
 * Adds an unconfirmed user, or renews one whose e-mail was never confirmed; a confirmed user
 * stays as it is. One statement whatever the case, so that the cases take the same time.
 */
export async function registerUser(
  executor: Executor,
  user: NewUser,
): Promise<{ id: string; isConfirmed: boolean }> {
  const row = await executor
    .insertInto("users")
    .values({
      id: user.id,
      email: user.email,
      email_key: emailKeyOf(user.email),
      password_hash: user.passwordHash,
      role: "customer",
      locale: user.locale,
      email_verified_at: null,
      privacy_accepted_at: user.now,
      privacy_version: user.privacyVersion,
      created_at: user.now,
    })
    .onConflict((conflict) =>
      conflict.column("email_key").doUpdateSet((eb) => {
        const renewed = <
          C extends "password_hash" | "privacy_accepted_at" | "privacy_version" | "locale",
        >(
          column: C,
        ) =>
          eb
            .case()
            .when("users.email_verified_at", "is", null)
            .then(eb.ref(`excluded.${column}`))
            .else(eb.ref(`users.${column}`))
            .end();
        return {
          password_hash: renewed("password_hash"),
          privacy_accepted_at: renewed("privacy_accepted_at"),
          privacy_version: renewed("privacy_version"),
          locale: renewed("locale"),
        };
      }),
    )
    .returning(["id", "email_verified_at"])
    .executeTakeFirstOrThrow();
  return { id: row.id, isConfirmed: row.email_verified_at !== null };
}

/** @returns false where the user was confirmed already */
export async function confirmUser(
  executor: Executor,
  id: string,
  passwordHash: string,
  now: Date,
): Promise<boolean> {
  const result = await executor
    .updateTable("users")
    .set({ email_verified_at: now, password_hash: passwordHash })
    .where("id", "=", id)
    .where("email_verified_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** @returns false where the password is no longer the one that was checked */
export async function replacePassword(
  executor: Executor,
  id: string,
  oldHash: string,
  newHash: string,
): Promise<boolean> {
  const result = await executor
    .updateTable("users")
    .set({ password_hash: newHash })
    .where("id", "=", id)
    .where("password_hash", "=", oldHash)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/**
 * Deletes accounts that were not confirmed in time, except those with a live code in the mail:
 * registering again does not renew their creation date.
 */
export async function deleteUnconfirmedUsers(
  executor: Executor,
  before: Date,
  now: Date,
): Promise<void> {
  await executor
    .deleteFrom("users")
    .where("email_verified_at", "is", null)
    .where("created_at", "<", before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("email_confirmations")
            .select("email_confirmations.id")
            .whereRef("email_confirmations.user_id", "=", "users.id")
            .where("void_at", "is", null)
            .where("expires_at", ">", now),
        ),
      ),
    )
    .execute();
}
