import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";

/** The setting as stored, with the limits of the shield's plan. */
export function selectCaching(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_caching")
    .innerJoin("shields", "shields.id", "shield_caching.shield_id")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select([
      "shield_caching.enabled",
      "shield_caching.purged_at",
      "shield_caching.version",
      "pricing_plans.limits as plan_limits",
    ])
    .where("shield_caching.shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

export async function setCaching(trx: Trx, shieldId: string, enabled: boolean): Promise<void> {
  await trx
    .updateTable("shield_caching")
    .set({ enabled, version: sql<number>`version + 1` })
    .where("shield_id", "=", shieldId)
    .execute();
}

/** The version stays: nobody's setting has changed. */
export async function addPurge(trx: Trx, shieldId: string, now: Date): Promise<void> {
  await trx
    .updateTable("shield_caching")
    .set({ purges: sql<number>`purges + 1`, purged_at: now })
    .where("shield_id", "=", shieldId)
    .execute();
}
