import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import { isRecent } from "#src/features/liveness/liveness.service.ts";

export function selectExaminedShield(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .leftJoin("shield_mitigation", "shield_mitigation.shield_id", "shields.id")
    .leftJoin("shield_bedrock", "shield_bedrock.shield_id", "shields.id")
    .select([
      "shields.status",
      "shields.cname_record",
      "shields.location",
      "shields.revision",
      "shield_mitigation.settings as mitigation_settings",
      "shield_bedrock.enabled as bedrock_enabled",
      "pricing_plans.limits as plan_limits",
    ])
    .where("shields.id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

export async function selectDomainNames(db: Executor, shieldId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("shield_domains")
    .select("name")
    .where("shield_id", "=", shieldId)
    .where("removed_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ name }) => name);
}

/** Groups with their backends, the default group first; a group without backends is one row of nulls. */
export function selectGroupedBackends(db: Executor, shieldId: string) {
  return db
    .selectFrom("backend_groups")
    .leftJoin("backends", "backends.group_id", "backend_groups.id")
    .leftJoin("backend_proofs", (join) =>
      join
        .onRef("backend_proofs.shield_id", "=", "backend_groups.shield_id")
        .onRef("backend_proofs.host", "=", "backends.host")
        .onRef("backend_proofs.port", "=", "backends.port"),
    )
    .select([
      "backend_proofs.kind as proof_kind",
      "backend_proofs.address as proof_address",
      "backend_groups.name as group",
      "backend_groups.is_default",
      "backend_groups.proxy_protocol",
      "backend_groups.game",
      "backends.host",
      "backends.port",
      "backends.bedrock_port",
      "backends.bedrock_proxy",
    ])
    .where("backend_groups.shield_id", "=", shieldId)
    .orderBy("backend_groups.is_default", "desc")
    .orderBy("backend_groups.id")
    .orderBy("backends.id")
    .execute();
}

/** The UDP ports on which players of Bedrock come, in the order in which they were added. */
export async function selectBedrockPorts(db: Executor, shieldId: string): Promise<number[]> {
  const rows = await db
    .selectFrom("bedrock_ports")
    .select("port")
    .where("shield_id", "=", shieldId)
    .where("removed_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ port }) => port);
}

/** Edges that should run the shield, online ones first, with the revisions they acknowledged. */
export function selectEdgeStates(db: Executor, shieldId: string, location: string) {
  const isOnline = isRecent("edges.last_seen_at");
  return db
    .selectFrom("edges")
    .leftJoin("edge_acks", (join) =>
      join.onRef("edge_acks.edge_id", "=", "edges.id").on("edge_acks.shield_id", "=", shieldId),
    )
    .select([
      "edges.id",
      "edges.name",
      isOnline.as("isOnline"),
      "edge_acks.applied_revision as appliedRevision",
      "edge_acks.rejected_revision as rejectedRevision",
      "edge_acks.reason",
      "edges.vpn_lists as vpnLists",
      "edges.has_countries as countries",
      "edges.has_networks as networks",
    ])
    .where("edges.kind", "=", "edge")
    .where("edges.location", "=", location)
    .where("edges.revoked_at", "is", null)
    .where(sql<boolean>`edges.credential_hash is not null`)
    .orderBy(isOnline, "desc")
    .orderBy("edges.name")
    .execute();
}

/** Whether the shield has rules in force for countries, and for networks. */
export async function selectPlaceRules(
  db: Executor,
  shieldId: string,
  now: Date,
): Promise<{ readonly countries: boolean; readonly networks: boolean }> {
  const rows = await db
    .selectFrom("firewall_network_rules")
    .select(sql<boolean>`asn is null`.as("isCountry"))
    .distinct()
    .where("shield_id", "=", shieldId)
    .where(sql<boolean>`(expires_at is null or expires_at > ${now})`)
    .execute();
  return {
    countries: rows.some(({ isCountry }) => isCountry),
    networks: rows.some(({ isCountry }) => !isCountry),
  };
}
