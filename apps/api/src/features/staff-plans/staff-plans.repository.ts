import { sql, type Insertable, type Updateable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type PlanRow = Awaited<ReturnType<typeof selectPlans>>[number];
export type SupportPlanRow = Awaited<ReturnType<typeof selectSupportPlans>>[number];

/** All, also those no longer on offer. */
export function selectPlans(db: Executor) {
  return db
    .selectFrom("pricing_plans")
    .select([
      "slug",
      "name",
      "description",
      "features",
      "limits",
      "translations",
      "price_cents",
      "position",
      "retired_at",
      sql<string>`(select count(*) from shields
        where pricing_plan_id = pricing_plans.id and status <> 'deleted')`.as("holders"),
      sql<string>`(select count(*) from subscriptions
        where pricing_plan_id = pricing_plans.id
          and subscriptions.price_cents <> pricing_plans.price_cents)`.as("other_terms"),
    ])
    .orderBy("position")
    .orderBy("slug")
    .execute();
}

export function selectSupportPlans(db: Executor) {
  return db
    .selectFrom("support_plans")
    .select([
      "slug",
      "name",
      "description",
      "translations",
      "price_cents",
      "position",
      "retired_at",
      sql<string>`(select count(*) from support_subscriptions
        where support_plan_id = support_plans.id)`.as("holders"),
      sql<string>`(select count(*) from support_subscriptions
        where support_plan_id = support_plans.id
          and support_subscriptions.price_cents <> support_plans.price_cents)`.as("other_terms"),
    ])
    .orderBy("position")
    .orderBy("slug")
    .execute();
}

/** @returns false if there is a plan of that name */
export async function insertPlan(
  trx: Trx,
  plan: Insertable<Database["pricing_plans"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("pricing_plans")
    .values(plan)
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** @returns false if there is a plan of that name */
export async function insertSupportPlan(
  trx: Trx,
  plan: Insertable<Database["support_plans"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("support_plans")
    .values(plan)
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Purchases of the plan wait until `trx` ends. */
export function lockPlan(trx: Trx, slug: string) {
  return trx
    .selectFrom("pricing_plans")
    .select(["id", "translations", "limits"])
    .where("slug", "=", slug)
    .forUpdate()
    .executeTakeFirst();
}

export function lockSupportPlan(trx: Trx, slug: string) {
  return trx
    .selectFrom("support_plans")
    .select(["id", "translations"])
    .where("slug", "=", slug)
    .forUpdate()
    .executeTakeFirst();
}

export async function updatePlan(
  trx: Trx,
  id: string,
  changes: Updateable<Database["pricing_plans"]>,
): Promise<void> {
  await trx.updateTable("pricing_plans").set(changes).where("id", "=", id).execute();
}

export async function updateSupportPlan(
  trx: Trx,
  id: string,
  changes: Updateable<Database["support_plans"]>,
): Promise<void> {
  await trx.updateTable("support_plans").set(changes).where("id", "=", id).execute();
}

/** Shields on the plan that edges have, in the order of their ids. */
export async function selectShieldsOn(
  db: Executor,
  planId: string,
  window: { readonly afterId: string | null; readonly limit: number },
): Promise<string[]> {
  let query = db
    .selectFrom("shields")
    .select("id")
    .where("pricing_plan_id", "=", planId)
    .where("status", "!=", "deleted");
  if (window.afterId !== null) query = query.where("id", ">", window.afterId);
  const rows = await query.orderBy("id").limit(window.limit).execute();
  return rows.map(({ id }) => id);
}

/** False where it is deleted, or on another plan by now. */
export async function lockShieldOn(trx: Trx, planId: string, shieldId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("shields")
    .select("id")
    .where("id", "=", shieldId)
    .where("pricing_plan_id", "=", planId)
    .where("status", "!=", "deleted")
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
