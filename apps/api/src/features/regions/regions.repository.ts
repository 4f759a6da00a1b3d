import type { Executor, Trx } from "#src/platform/database/db.ts";

export function selectRegion(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select([
      "shields.location",
      "shields.region_changed_at",
      "shields.revision",
      "pricing_plans.limits as plan_limits",
    ])
    .where("shields.id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

/** Locations left recently, the one that is served longest first. */
export function selectLeft(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_left_locations")
    .select(["location", "until"])
    .where("shield_id", "=", shieldId)
    .orderBy("until", "desc")
    .execute();
}

/** Moves the shield; the edges of the location it leaves keep it until `until`. */
export async function moveShield(
  trx: Trx,
  shieldId: string,
  move: { readonly from: string; readonly to: string; readonly now: Date; readonly until: Date },
): Promise<void> {
  await trx
    .updateTable("shields")
    .set({ location: move.to, region_changed_at: move.now })
    .where("id", "=", shieldId)
    .execute();
  await trx
    .deleteFrom("shield_left_locations")
    .where("shield_id", "=", shieldId)
    .where("location", "=", move.to)
    .execute();
  await trx
    .insertInto("shield_left_locations")
    .values({ shield_id: shieldId, location: move.from, until: move.until })
    .onConflict((conflict) =>
      conflict.columns(["shield_id", "location"]).doUpdateSet({ until: move.until }),
    )
    .execute();
}

/** @returns false where another worker has done it */
export async function forgetLeft(trx: Trx, shieldId: string, now: Date): Promise<boolean> {
  const result = await trx
    .deleteFrom("shield_left_locations")
    .where("shield_id", "=", shieldId)
    .where("until", "<=", now)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
