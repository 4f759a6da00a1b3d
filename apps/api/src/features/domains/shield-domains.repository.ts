import type { Insertable, Updateable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

const columns = [
  "id",
  "name",
  "group_id",
  "verified_at",
  "unseen_since",
  "unproven_since",
  "expired_at",
  "removed_at",
  "created_at",
] as const;

/** The owner of the shield's claims, their CNAME target and the limits of the plan. */
export function selectClaimant(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select([
      "shields.id",
      "shields.owner_id",
      "shields.cname_record",
      "shields.revision",
      "pricing_plans.limits as plan_limits",
    ])
    .where("shields.id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

/** Oldest first. */
export function selectDomains(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_domains")
    .select(columns)
    .where("shield_id", "=", shieldId)
    .where("removed_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** A domain of the shield, removed or not. */
export function selectDomain(db: Executor, shieldId: string, domainId: string) {
  return db
    .selectFrom("shield_domains")
    .select(columns)
    .where("shield_id", "=", shieldId)
    .where("id", "=", domainId)
    .executeTakeFirst();
}

/** The shield's claim of a name, removed or not. */
export function selectNamed(trx: Trx, shieldId: string, name: string) {
  return trx
    .selectFrom("shield_domains")
    .select(["id", "verified_at", "removed_at"])
    .where("shield_id", "=", shieldId)
    .where("name", "=", name)
    .executeTakeFirst();
}

export async function countDomains(trx: Trx, shieldId: string): Promise<number> {
  const row = await trx
    .selectFrom("shield_domains")
    .select((eb) => eb.fn.countAll<string>().as("total"))
    .where("shield_id", "=", shieldId)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export function insertDomain(trx: Trx, row: Insertable<Database["shield_domains"]>) {
  return trx.insertInto("shield_domains").values(row).returning(columns).executeTakeFirstOrThrow();
}

export function updateDomain(
  trx: Trx,
  domainId: string,
  changes: Updateable<Database["shield_domains"]>,
) {
  return trx
    .updateTable("shield_domains")
    .set(changes)
    .where("id", "=", domainId)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function deleteDomain(trx: Trx, domainId: string): Promise<void> {
  await trx.deleteFrom("shield_domains").where("id", "=", domainId).execute();
}

/** Groups that Minecraft players can be sent to, the default one first. */
export function selectMinecraftGroups(db: Executor, shieldId: string) {
  return db
    .selectFrom("backend_groups")
    .select(["id", "name", "is_default"])
    .where("shield_id", "=", shieldId)
    .where("game", "=", "minecraft")
    .orderBy("is_default", "desc")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export function selectGroup(trx: Trx, shieldId: string, groupId: string) {
  return trx
    .selectFrom("backend_groups")
    .select("game")
    .where("shield_id", "=", shieldId)
    .where("id", "=", groupId)
    .executeTakeFirst();
}
