import { sql } from "kysely";
import type { Db, Executor } from "#src/platform/database/db.ts";
import { hashToken } from "#src/platform/security/tokens.ts";

/** Expired ones are kept for a while, so that their holder is told to fetch another one. */
const keptMs = 3_600_000;

export async function insertLiveToken(
  db: Db,
  given: {
    readonly token: string;
    readonly sessionId: string;
    readonly now: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await db
    .deleteFrom("live_tokens")
    .where("expires_at", "<", new Date(given.now.getTime() - keptMs))
    .execute();
  await db
    .insertInto("live_tokens")
    .values({
      token_hash: hashToken(given.token),
      session_id: given.sessionId,
      expires_at: given.expiresAt,
    })
    .execute();
}

/** Takes a token away: of two callers, one gets its session. */
export function takeLiveToken(db: Db, token: string) {
  return db
    .deleteFrom("live_tokens")
    .where("token_hash", "=", hashToken(token))
    .returning(["session_id", "expires_at"])
    .executeTakeFirst();
}

/** The sessions among `ids` that still live, with what their user may see. */
export function selectSessionViewers(executor: Executor, ids: readonly string[], now: Date) {
  return executor
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .leftJoin("profiles", "profiles.user_id", "users.id")
    .select([
      "sessions.id as session_id",
      "users.id as user_id",
      "users.email",
      "users.role",
      "users.staff_roles",
      "users.two_factor_enabled_at",
      "profiles.first_name",
    ])
    .where("sessions.id", "=", sql<string>`any(${ids}::uuid[])`)
    .where("sessions.expires_at", ">", now)
    .execute();
}
