import type { Db } from "#src/platform/database/db.ts";
import type { UserActor } from "#src/platform/http/context.ts";
import { hashToken } from "#src/platform/http/tokens.ts";

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
    ])
    .where("api_keys.token_hash", "=", hashToken(token))
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
    credential: { kind: "api-key", id: row.id, scope: row.scope },
  };
}
