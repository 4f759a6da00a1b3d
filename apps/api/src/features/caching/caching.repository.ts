import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";

/** The setting with the limits of the shield's plan. Made by an api before it, a shield has none. */
export function selectCaching(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .leftJoin("shield_caching", "shield_caching.shield_id", "shields.id")
    .select((eb) => [
      eb.fn.coalesce("shield_caching.enabled", eb.lit(true)).as("enabled"),
      "shield_caching.purged_at",
      eb.fn.coalesce("shield_caching.version", eb.lit(1)).as("version"),
      "pricing_plans.limits as plan_limits",
    ])
    .where("shields.id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

export async function setCaching(trx: Trx, shieldId: string, enabled: boolean): Promise<void> {
  await addMissing(trx, shieldId);
  await trx
    .updateTable("shield_caching")
    .set({ enabled, version: sql<number>`version + 1` })
    .where("shield_id", "=", shieldId)
    .execute();
}

/** The version stays, because a purge changes no setting. */
export async function addPurge(trx: Trx, shieldId: string, now: Date): Promise<void> {
  await addMissing(trx, shieldId);
  await trx
    .updateTable("shield_caching")
    .set({ purges: sql<number>`purges + 1`, purged_at: now })
    .where("shield_id", "=", shieldId)
    .execute();
}

async function addMissing(trx: Trx, shieldId: string): Promise<void> {
  await trx
    .insertInto("shield_caching")
    .values({ shield_id: shieldId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
