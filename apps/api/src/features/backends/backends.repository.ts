import { sql, type Insertable, type Updateable } from "kysely";
import { isRecent } from "#src/features/liveness/liveness.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

/** Edges report every backend regularly and changes at once: an older report is outdated. */
const healthSeconds = 300;

/** The default group first, then by age: the order in which edges try them. */
export function selectGroups(db: Executor, shieldId: string) {
  return db
    .selectFrom("backend_groups")
    .selectAll()
    .where("shield_id", "=", shieldId)
    .orderBy("is_default", "desc")
    .orderBy("id")
    .execute();
}

export type GroupRow = Awaited<ReturnType<typeof selectGroups>>[number];

export function selectGroup(db: Executor, shieldId: string, groupId: string) {
  return db
    .selectFrom("backend_groups")
    .selectAll()
    .where("shield_id", "=", shieldId)
    .where("id", "=", groupId)
    .executeTakeFirst();
}

export function selectBackends(db: Executor, shieldId: string) {
  return db
    .selectFrom("backends")
    .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
    .leftJoin("backend_proofs", (join) =>
      join
        .onRef("backend_proofs.shield_id", "=", "backend_groups.shield_id")
        .onRef("backend_proofs.host", "=", "backends.host")
        .onRef("backend_proofs.port", "=", "backends.port"),
    )
    .selectAll("backends")
    .select([
      "backend_groups.game",
      "backend_proofs.kind as proof_kind",
      "backend_proofs.address as proof_address",
      "backend_proofs.proven_at as proof_at",
    ])
    .where("backend_groups.shield_id", "=", shieldId)
    .orderBy("backends.id")
    .execute();
}

export type BackendRow = Awaited<ReturnType<typeof selectBackends>>[number];

/** Recent reports of edges that are online. */
export function selectHealth(db: Executor, shieldId: string) {
  return recentHealth(db, "backend_health", shieldId).execute();
}

/** The same of ports for Bedrock, while the shield has Bedrock on. */
export function selectBedrockHealth(db: Executor, shieldId: string): Promise<HealthRow[]> {
  return recentHealth(db, "bedrock_health", shieldId)
    .where((where) =>
      where.exists(
        where
          .selectFrom("shield_bedrock")
          .select("shield_id")
          .where("shield_id", "=", shieldId)
          .where("enabled", "=", true),
      ),
    )
    .execute();
}

function recentHealth(db: Executor, table: "backend_health" | "bedrock_health", shieldId: string) {
  return db
    .selectFrom(`${table} as health`)
    .innerJoin("edges", "edges.id", "health.edge_id")
    .innerJoin("backends", "backends.id", "health.backend_id")
    .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
    .select([
      "health.backend_id",
      "health.state",
      "health.players",
      "health.latency_ms",
      "health.last_error",
      "health.expects_proxy",
      "health.changed_at",
    ])
    .where("backend_groups.shield_id", "=", shieldId)
    .where("edges.revoked_at", "is", null)
    .where(isRecent("edges.last_seen_at"))
    .where(
      sql<boolean>`health.reported_at >
        clock_timestamp() - make_interval(secs => ${healthSeconds})`,
    );
}

export type HealthRow = Awaited<ReturnType<typeof selectHealth>>[number];

export function selectPlanOf(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select("pricing_plans.limits as plan_limits")
    .where("shields.id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

export async function insertGroup(
  trx: Trx,
  row: Insertable<Database["backend_groups"]>,
): Promise<void> {
  await trx.insertInto("backend_groups").values(row).execute();
}

export async function updateGroup(
  trx: Trx,
  group: Pick<GroupRow, "id" | "shield_id">,
  changes: Updateable<Database["backend_groups"]>,
): Promise<void> {
  await trx
    .updateTable("backend_groups")
    .set({ ...changes, version: sql<number>`version + 1` })
    .where("shield_id", "=", group.shield_id)
    .where("id", "=", group.id)
    .execute();
}

/** Call it before another group becomes the default: there are never two, not even for a statement. */
export async function clearDefault(trx: Trx, shieldId: string): Promise<void> {
  await trx
    .updateTable("backend_groups")
    .set({ is_default: false, version: sql<number>`version + 1` })
    .where("shield_id", "=", shieldId)
    .where("is_default", "=", true)
    .execute();
}

/** Deletes its backends and their health as well; its domains go to the group the edge chooses. */
export async function deleteGroup(trx: Trx, shieldId: string, groupId: string): Promise<void> {
  await trx
    .deleteFrom("backend_groups")
    .where("shield_id", "=", shieldId)
    .where("id", "=", groupId)
    .execute();
}

/** Domains lead only to Minecraft groups. */
export async function releaseDomains(trx: Trx, shieldId: string, groupId: string): Promise<void> {
  await trx
    .updateTable("shield_domains")
    .set({ group_id: null })
    .where("shield_id", "=", shieldId)
    .where("group_id", "=", groupId)
    .execute();
}

export function selectGroupBackends(trx: Trx, groupId: string) {
  return trx.selectFrom("backends").selectAll().where("group_id", "=", groupId).execute();
}

export async function insertBackend(
  trx: Trx,
  row: Insertable<Database["backends"]>,
): Promise<void> {
  await trx.insertInto("backends").values(row).execute();
}

/** Another address is another server, so its health and icon are deleted. */
export async function updateBackend(
  trx: Trx,
  server: Pick<BackendRow, "id" | "group_id" | "host" | "port">,
): Promise<void> {
  const { id, group_id, host, port } = server;
  const { numUpdatedRows } = await trx
    .updateTable("backends")
    .set({ host, port, proof_checks: 0, proof_check_at: null })
    .where("group_id", "=", group_id)
    .where("id", "=", id)
    .where((eb) => eb.or([eb("host", "!=", host), eb("port", "!=", port)]))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await trx.deleteFrom("backend_health").where("backend_id", "=", id).execute();
  await trx.deleteFrom("bedrock_health").where("backend_id", "=", id).execute();
  await trx.deleteFrom("backend_favicons").where("backend_id", "=", id).execute();
}

/** Another port is another server, so its health is deleted; with another PROXY it has to answer anew. */
export async function updateBackendBedrock(
  trx: Trx,
  server: Pick<BackendRow, "id" | "group_id" | "bedrock_port" | "bedrock_proxy">,
): Promise<void> {
  const { id, group_id, bedrock_port, bedrock_proxy } = server;
  const { numUpdatedRows } = await trx
    .updateTable("backends")
    .set({ bedrock_port, bedrock_proxy })
    .where("group_id", "=", group_id)
    .where("id", "=", id)
    .where((eb) =>
      eb.or([
        eb("bedrock_port", "is distinct from", bedrock_port),
        eb("bedrock_proxy", "!=", bedrock_proxy),
      ]),
    )
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await trx.deleteFrom("bedrock_health").where("backend_id", "=", id).execute();
}

export async function deleteBackend(trx: Trx, groupId: string, serverId: string): Promise<boolean> {
  const result = await trx
    .deleteFrom("backends")
    .where("group_id", "=", groupId)
    .where("id", "=", serverId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
