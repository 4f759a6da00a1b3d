import { sql, type Updateable } from "kysely";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

/** Status and plan of a shield, locked against other changes until `trx` ends. */
export function lockLife(trx: Trx, shieldId: string) {
  return trx
    .selectFrom("shields")
    .leftJoin("subscriptions", "subscriptions.shield_id", "shields.id")
    .select((eb) => [
      "shields.owner_id",
      "shields.server_name",
      "shields.status",
      "shields.revision",
      "shields.deleted_at",
      "shields.deleted_from",
      // Not joined: a change of the plan while this waits would leave no row.
      eb
        .selectFrom("pricing_plans")
        .select("pricing_plans.price_cents")
        .whereRef("pricing_plans.id", "=", "shields.pricing_plan_id")
        .as("price_cents"),
      "subscriptions.period_ends_at",
    ])
    .where("shields.id", "=", shieldId)
    .forNoKeyUpdate("shields")
    .executeTakeFirst();
}

export async function updateShield(
  trx: Trx,
  shieldId: string,
  changes: Updateable<Database["shields"]>,
): Promise<void> {
  await trx.updateTable("shields").set(changes).where("id", "=", shieldId).execute();
}

/** The oldest deleted shield that can no longer be restored, without those in `but`. */
export async function selectToPurge(
  db: Db,
  before: Date,
  but: readonly string[],
): Promise<string | undefined> {
  const row = await db
    .selectFrom("shields")
    .select("id")
    .where("status", "=", "deleted")
    .where("erased_at", "is", null)
    .where("deleted_at", "<=", before)
    .where(sql<boolean>`id <> all(${but}::uuid[])`)
    .orderBy("deleted_at")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Rows that an api of the release before left, which does not know the table. It names players. */
export async function deleteNamesOfErased(db: Db): Promise<void> {
  await sql`
    delete from firewall_names using shields
    where shields.id = firewall_names.shield_id and shields.erased_at is not null
  `.execute(db);
}

/** Locks the shield if it still has to be purged. */
export async function lockToPurge(trx: Trx, shieldId: string, before: Date): Promise<boolean> {
  const row = await trx
    .selectFrom("shields")
    .select("id")
    .where("id", "=", shieldId)
    .where("status", "=", "deleted")
    .where("erased_at", "is", null)
    .where("deleted_at", "<=", before)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Settings made by owner and members; rows that depend on them are deleted with them. */
export const settingsTables = [
  "shield_domains",
  "backend_groups",
  "backend_proofs",
  "shield_firewalls",
  "firewall_entries",
  "firewall_names",
  "firewall_network_rules",
  "shield_messages",
  "shield_caching",
  "shield_bedrock",
  "bedrock_ports",
  "shield_mitigation",
  "shield_try_addresses",
  "shield_notifications",
  "shield_webhooks",
  "notification_events",
  "shield_left_locations",
  "shield_invitations",
  "shield_members",
  "log_intervals",
  "shield_revisions",
  "shield_settings",
  "shield_changes",
  "plan_change_quotes",
] as const;

/** Statistics about its players. */
export const statsTables = [
  "telemetry_minutes",
  "telemetry_tens",
  "telemetry_hours",
  "telemetry_days",
  "traffic_months",
  "challenge_times",
  "attacks",
  "login_entries",
  "live_gauges",
  "edge_acks",
] as const;

export async function deleteRows(
  trx: Trx,
  tables: readonly (typeof settingsTables | typeof statsTables)[number][],
  ids: readonly string[],
): Promise<void> {
  for (const table of tables) {
    await sql`delete from ${sql.table(table)} where shield_id = any(${ids}::uuid[])`.execute(trx);
  }
}

/** Settings of the shields that tickets about them keep. */
export async function forgetSnapshots(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable("tickets")
    .set({ snapshot: null })
    .where("shield_id", "in", [...ids])
    .execute();
}

/** The rows stay without content: they tell edges that the shield is gone. */
export async function emptyConfigs(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx
    .updateTable("shield_configs")
    .set({ config: "{}", config_bytes: 2, locations: [] })
    .where("shield_id", "in", [...ids])
    .execute();
  await trx
    .updateTable("edge_acks")
    .set({ reason: null })
    .where("shield_id", "in", [...ids])
    .execute();
}
