import type { Updateable } from "kysely";
import { sql } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export interface TopUpSettings {
  readonly enabled: boolean;
  readonly thresholdCents: number;
  readonly amountCents: number;
}

export function selectSettings(db: Executor, userId: string) {
  return db
    .selectFrom("automatic_top_ups")
    .select(["enabled", "threshold_cents", "amount_cents"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** New settings are tried at once. */
export async function saveSettings(
  trx: Trx,
  userId: string,
  settings: TopUpSettings,
  now: Date,
): Promise<void> {
  const row = {
    enabled: settings.enabled,
    threshold_cents: settings.thresholdCents,
    amount_cents: settings.amountCents,
    failures: 0,
    next_try_at: now,
    updated_at: now,
  };
  await trx
    .insertInto("automatic_top_ups")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet((eb) => ({
        ...row,
        // A change of the settings gives no second charge on the same day.
        next_try_at: eb.fn<Date>("greatest", [
          "automatic_top_ups.next_try_at",
          sql<Date>`excluded.next_try_at`,
        ]),
      })),
    )
    .execute();
}

/** @param but users that are left out */
export async function selectDueTopUps(
  db: Db,
  now: Date,
  { limit, but }: { readonly limit: number; readonly but: readonly string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom("automatic_top_ups")
    .select("user_id")
    .where("enabled", "=", true)
    .where("next_try_at", "<=", now)
    .$if(but.length > 0, (query) => query.where("user_id", "not in", [...but]))
    .orderBy("next_try_at")
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export function lockTopUp(trx: Trx, userId: string) {
  return trx
    .selectFrom("automatic_top_ups")
    .innerJoin("users", "users.id", "automatic_top_ups.user_id")
    .selectAll("automatic_top_ups")
    .select(["users.email", "users.locale"])
    .where("automatic_top_ups.user_id", "=", userId)
    .forNoKeyUpdate("automatic_top_ups")
    .executeTakeFirst();
}

export async function updateTopUp(
  trx: Trx,
  userId: string,
  changes: Updateable<Database["automatic_top_ups"]>,
): Promise<void> {
  await trx.updateTable("automatic_top_ups").set(changes).where("user_id", "=", userId).execute();
}
