import type { Insertable, Updateable } from "kysely";
import { sql } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

/** Serialises what one account does about its support plan, also while it has none. */
export async function lockBuyer(trx: Trx, userId: string): Promise<void> {
  await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export function selectSupport(db: Executor, userId: string) {
  return db
    .selectFrom("support_subscriptions")
    .innerJoin("users", "users.id", "support_subscriptions.user_id")
    .innerJoin("support_plans", "support_plans.id", "support_subscriptions.support_plan_id")
    .selectAll("support_subscriptions")
    .select([
      "users.email",
      "users.locale",
      "support_plans.name as plan_name",
      "support_plans.translations as plan_translations",
    ])
    .where("support_subscriptions.user_id", "=", userId)
    .executeTakeFirst();
}

export type SupportRow = NonNullable<Awaited<ReturnType<typeof selectSupport>>>;

export async function insertSupport(
  trx: Trx,
  row: Insertable<Database["support_subscriptions"]>,
): Promise<void> {
  await trx.insertInto("support_subscriptions").values(row).execute();
}

export async function updateSupport(
  trx: Trx,
  userId: string,
  changes: Updateable<Database["support_subscriptions"]>,
): Promise<void> {
  await trx
    .updateTable("support_subscriptions")
    .set(changes)
    .where("user_id", "=", userId)
    .execute();
}

export async function deleteSupport(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("support_subscriptions").where("user_id", "=", userId).execute();
}

export async function selectDueSupport(
  db: Db,
  now: Date,
  { limit, but }: { readonly limit: number; readonly but: readonly string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom("support_subscriptions")
    .select("user_id")
    .where("next_renewal_at", "<=", now)
    .where(sql<boolean>`user_id <> all(${but}::uuid[])`)
    .orderBy("next_renewal_at")
    .orderBy("user_id")
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}
