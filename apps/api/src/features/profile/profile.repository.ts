import type { Updateable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type ProfileRow = Awaited<ReturnType<typeof selectProfile>>;

/** The whole profile of a user who exists; what was never filled in is null. */
export function selectProfile(db: Executor, userId: string, now: Date) {
  return db
    .selectFrom("users")
    .leftJoin("profiles", "profiles.user_id", "users.id")
    .leftJoin("email_changes", (join) =>
      join.onRef("email_changes.user_id", "=", "users.id").on("email_changes.expires_at", ">", now),
    )
    .leftJoin("api_keys", (join) =>
      join
        .onRef("api_keys.user_id", "=", "users.id")
        .on("api_keys.is_profile", "=", true)
        .on("api_keys.revoked_at", "is", null),
    )
    .select([
      "users.email",
      "users.two_factor_enabled_at",
      "email_changes.email as pending_email",
      "api_keys.hint as api_key_hint",
      "profiles.username",
      "profiles.first_name",
      "profiles.last_name",
      "profiles.address_line_1",
      "profiles.address_line_2",
      "profiles.zip_code",
      "profiles.city",
      "profiles.country",
      "profiles.company_name",
      "profiles.vat_id",
      "profiles.email_notifications",
      "profiles.webhook_hint",
    ])
    .where("users.id", "=", userId)
    .executeTakeFirstOrThrow();
}

type ProfileChanges = Omit<Updateable<Database["profiles"]>, "user_id">;

/** Columns left out stay as they are. */
export async function saveProfile(
  trx: Trx,
  userId: string,
  changes: ProfileChanges,
): Promise<void> {
  await trx
    .insertInto("profiles")
    .values({ user_id: userId, ...changes })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(changes))
    .execute();
}
