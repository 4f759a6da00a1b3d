import type { Executor, Trx } from "#src/platform/database/db.ts";

/** A shield by its CNAME target, locked against other changes until `trx` ends. */
export async function lockForOperator(trx: Trx, label: string) {
  // Before it is read: joined rows would be those of before the wait.
  await trx
    .selectFrom("shields")
    .select("id")
    .where("cname_record", "=", label)
    .forNoKeyUpdate()
    .execute();
  return trx
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .leftJoin("subscriptions", "subscriptions.shield_id", "shields.id")
    .select([
      "shields.id",
      "shields.owner_id",
      "shields.status",
      "shields.blocked_reason",
      "shields.cname_record",
      "pricing_plans.id as plan_id",
      "pricing_plans.name as plan_name",
      "subscriptions.period_ends_at",
      "subscriptions.price_cents as held_price_cents",
    ])
    .where("shields.cname_record", "=", label)
    .executeTakeFirst();
}

export async function setBlock(
  trx: Trx,
  shieldId: string,
  changes: {
    readonly status: "active" | "expired" | "blocked";
    readonly blocked_reason: string | null;
  },
): Promise<void> {
  await trx.updateTable("shields").set(changes).where("id", "=", shieldId).execute();
}

/** Also one that is no longer on offer. */
export function selectPlanBySlug(db: Executor, slug: string) {
  return db
    .selectFrom("pricing_plans")
    .select(["id", "name", "price_cents", "limits as plan_limits"])
    .where("slug", "=", slug)
    .executeTakeFirst();
}

export function selectSupportPlanBySlug(db: Executor, slug: string) {
  return db
    .selectFrom("support_plans")
    .select(["id", "price_cents"])
    .where("slug", "=", slug)
    .executeTakeFirst();
}
