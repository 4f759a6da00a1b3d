import { sql } from "kysely";
import { isRecent } from "#src/features/liveness/liveness.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";

/** With the limits of the shield's plan. Made by an api before it, a shield has no settings yet. */
export function selectMitigation(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .leftJoin("shield_mitigation", "shield_mitigation.shield_id", "shields.id")
    .select((eb) => [
      "shield_mitigation.settings",
      "shields.revision",
      eb.fn.coalesce("shield_mitigation.version", eb.lit(1)).as("version"),
      "pricing_plans.limits as plan_limits",
    ])
    .where("shields.id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

/** Whether an online edge that serves the shield has reported to have no VPN list. */
export async function selectLacksVpnLists(db: Executor, shieldId: string): Promise<boolean> {
  const row = await db
    .selectFrom("edges")
    .innerJoin("shield_configs", (join) =>
      join
        .on("shield_configs.shield_id", "=", shieldId)
        .on(sql<boolean>`edges.location = any (shield_configs.locations)`),
    )
    .select("edges.id")
    .where("edges.kind", "=", "edge")
    .where("edges.revoked_at", "is", null)
    .where(isRecent("edges.last_seen_at"))
    .where("edges.vpn_lists", "=", false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setMitigation(trx: Trx, shieldId: string, settings: object): Promise<void> {
  const stored = JSON.stringify(settings);
  await trx
    .insertInto("shield_mitigation")
    .values({ shield_id: shieldId, settings: stored, version: 2 })
    .onConflict((conflict) =>
      conflict
        .column("shield_id")
        .doUpdateSet({ settings: stored, version: sql<number>`shield_mitigation.version + 1` }),
    )
    .execute();
}
