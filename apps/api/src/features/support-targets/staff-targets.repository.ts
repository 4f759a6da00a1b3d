import { sql, type Insertable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

/** All support plans, also those no longer on offer. */
export function selectPlans(db: Executor) {
  return db
    .selectFrom("support_plans")
    .select([
      "id",
      "slug",
      "name",
      "translations",
      "price_cents",
      "retired_at",
      sql<string>`(select count(*) from support_subscriptions
        where support_plan_id = support_plans.id)`.as("holders"),
    ])
    .orderBy("position")
    .orderBy("slug")
    .execute();
}

export function selectAllTargets(db: Executor) {
  return db
    .selectFrom("support_targets")
    .select(["support_plan_id", "severity", "response_minutes as minutes", "hours"])
    .execute();
}

export async function selectPlanId(db: Executor, slug: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("support_plans")
    .select("id")
    .where("slug", "=", slug)
    .executeTakeFirst();
  return row?.id;
}

export async function upsertTargets(
  trx: Trx,
  rows: readonly Insertable<Database["support_targets"]>[],
): Promise<void> {
  await trx
    .insertInto("support_targets")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["support_plan_id", "severity"]).doUpdateSet((eb) => ({
        response_minutes: eb.ref("excluded.response_minutes"),
        hours: eb.ref("excluded.hours"),
      })),
    )
    .execute();
}

export async function updateHours(
  trx: Trx,
  hours: Omit<Insertable<Database["support_hours"]>, "id">,
): Promise<void> {
  await trx.updateTable("support_hours").set(hours).execute();
}
