import { sql, type Insertable } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { UserActor } from "#src/platform/http/pipeline/context.ts";
import { hashToken } from "#src/platform/security/tokens.ts";
import type { Database } from "#src/schema/database.ts";

/** `last_used_at` is written at most this often. */
const usedPrecisionMs = 60_000;

/** The user of an API key that has not expired, with the key's scope. */
export async function findApiKeyActor(db: Db, token: string, now: Date): Promise<UserActor | null> {
  const row = await db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .select([
      "api_keys.id",
      "api_keys.scope",
      "api_keys.last_used_at",
      "users.id as user_id",
      "users.email",
      "users.role",
      "users.staff_roles",
      "users.two_factor_enabled_at",
    ])
    .where("api_keys.token_hash", "=", hashToken(token))
    .where("api_keys.revoked_at", "is", null)
    .where("users.blocked_at", "is", null)
    .where((eb) =>
      eb.or([eb("api_keys.expires_at", "is", null), eb("api_keys.expires_at", ">", now)]),
    )
    .executeTakeFirst();
  if (row === undefined) return null;
  const lastUsedMs = row.last_used_at?.getTime() ?? 0;
  if (now.getTime() - lastUsedMs > usedPrecisionMs) {
    await db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", row.id).execute();
  }
  return {
    kind: "user",
    userId: row.user_id,
    email: row.email,
    role: row.role,
    staffRoles: row.staff_roles,
    hasTwoFactor: row.two_factor_enabled_at !== null,
    credential: { kind: "api-key", id: row.id, scope: row.scope },
  };
}

/** Named keys of the user, expired ones too, newest first. */
export function selectNamedKeys(db: Executor, userId: string) {
  return db
    .selectFrom("api_keys")
    .select(["id", "name", "scope", "created_at", "last_used_at", "expires_at"])
    .where("user_id", "=", userId)
    .where("is_profile", "=", false)
    .where("revoked_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

export function selectSealedProfileKey(db: Executor, userId: string) {
  return db
    .selectFrom("api_keys")
    .select("sealed")
    .where("user_id", "=", userId)
    .where("is_profile", "=", true)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

export async function insertKey(
  trx: Trx,
  key: Omit<Insertable<Database["api_keys"]>, "token_hash"> & { readonly token: string },
): Promise<void> {
  const { token, ...row } = key;
  await trx
    .insertInto("api_keys")
    .values({ ...row, token_hash: hashToken(token) })
    .execute();
}

/**
 * Every key of the user, expired ones too.
 *
 * @returns how many of them still worked
 */
export async function revokeKeys(trx: Trx, userId: string, now: Date): Promise<number> {
  const keys = await trx
    .updateTable("api_keys")
    .set({ revoked_at: now, sealed: null })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .returning("expires_at")
    .execute();
  return keys.filter(({ expires_at: end }) => end === null || end > now).length;
}

/** Whether the user has a key that still works. */
export async function hasKey(trx: Trx, userId: string, now: Date): Promise<boolean> {
  const row = await trx
    .selectFrom("api_keys")
    .select("id")
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function revokeProfileKey(trx: Trx, userId: string, now: Date): Promise<void> {
  await trx
    .updateTable("api_keys")
    .set({ revoked_at: now, sealed: null })
    .where("user_id", "=", userId)
    .where("is_profile", "=", true)
    .where("revoked_at", "is", null)
    .execute();
}

/** @returns the key's name, or undefined where the user has no such key */
export async function revokeNamedKey(
  trx: Trx,
  userId: string,
  id: string,
  now: Date,
): Promise<string | undefined> {
  const row = await trx
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("is_profile", "=", false)
    .where("revoked_at", "is", null)
    .returning("name")
    .executeTakeFirst();
  return row?.name;
}

/**
 * Takes the named keys that expire within `noticeMs`, each once, with the user to tell. Leaves out
 * keys that were made to last no longer than that.
 */
export async function takeExpiringKeys(trx: Trx, now: Date, noticeMs: number) {
  const keys = await trx
    .updateTable("api_keys")
    .set({ expiry_told_at: now })
    .where("expires_at", ">", now)
    .where("expires_at", "<=", new Date(now.getTime() + noticeMs))
    .where(sql<boolean>`expires_at - created_at > make_interval(secs => ${noticeMs / 1000})`)
    .where("expiry_told_at", "is", null)
    .where("revoked_at", "is", null)
    .returning(["user_id", "name", "expires_at"])
    .execute();
  if (keys.length === 0) return [];
  const userIds = keys.map((key) => key.user_id);
  const users = await trx
    .selectFrom("users")
    .leftJoin("profiles", "profiles.user_id", "users.id")
    .select(["users.id", "users.email", "users.locale", "profiles.email_notifications"])
    .where("users.id", "in", userIds)
    .execute();
  return keys.flatMap(({ user_id: userId, name, expires_at: expiresAt }) => {
    const user = users.find(({ id }) => id === userId);
    if (user === undefined) return [];
    const { email, locale, email_notifications: wantsMail } = user;
    return [{ userId, name, expiresAt, email, locale, wantsMail: wantsMail ?? true }];
  });
}
