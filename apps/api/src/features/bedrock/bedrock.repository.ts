import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";

/** The setting with the limits of the shield's plan. Until it is changed, a shield has no row. */
export function selectBedrock(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .leftJoin("shield_bedrock", "shield_bedrock.shield_id", "shields.id")
    .select((eb) => [
      eb.fn.coalesce("shield_bedrock.enabled", eb.lit(false)).as("enabled"),
      eb.fn.coalesce("shield_bedrock.default_granted", eb.lit(false)).as("default_granted"),
      eb.fn.coalesce("shield_bedrock.version", eb.lit(1)).as("version"),
      "shields.location",
      "shields.cname_record",
      "pricing_plans.limits as plan_limits",
    ])
    .where("shields.id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

/** Whether a server takes players of Bedrock. */
export async function hasBedrockServer(db: Executor, shieldId: string): Promise<boolean> {
  const row = await db
    .selectFrom("backends")
    .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
    .select("backends.id")
    .where("backend_groups.shield_id", "=", shieldId)
    .where("backend_groups.game", "=", "minecraft")
    .where("backends.bedrock_port", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The first proven domain that can be typed as it is. */
export async function selectFirstDomain(
  db: Executor,
  shieldId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("shield_domains")
    .select("name")
    .where("shield_id", "=", shieldId)
    .where("verified_at", "is not", null)
    .where("expired_at", "is", null)
    .where("removed_at", "is", null)
    .where("name", "not like", "*.%")
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.name;
}

export async function setEnabled(trx: Trx, shieldId: string, enabled: boolean): Promise<void> {
  await trx
    .insertInto("shield_bedrock")
    .values({ shield_id: shieldId, enabled, version: 2 })
    .onConflict((conflict) =>
      conflict
        .column("shield_id")
        .doUpdateSet({ enabled, version: sql<number>`shield_bedrock.version + 1` }),
    )
    .execute();
}

export async function setDefaultGranted(
  trx: Trx,
  shieldId: string,
  granted: boolean,
): Promise<void> {
  await trx
    .insertInto("shield_bedrock")
    .values({ shield_id: shieldId, default_granted: granted })
    .onConflict((conflict) =>
      conflict.column("shield_id").doUpdateSet({ default_granted: granted }),
    )
    .execute();
}

/** The shield, locked against other changes until `trx` ends, whatever its status. */
export function lockAnyStatus(trx: Trx, shieldId: string) {
  return trx
    .selectFrom("shields")
    .select("status")
    .where("id", "=", shieldId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
