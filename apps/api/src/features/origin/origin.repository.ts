import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

/** Addresses as edges gave them, in any spelling; of each edge its own list. */
export async function selectFleetAddresses(db: Executor): Promise<(readonly string[])[]> {
  const rows = await enrolledEdges(db).orderBy("edges.id").execute();
  return rows.map(({ addresses }) => addresses);
}

/** Of the edges at every location that has the shield, online or not. */
export async function selectServingAddresses(
  db: Executor,
  shieldId: string,
): Promise<(readonly string[])[]> {
  const rows = await enrolledEdges(db)
    .where(
      sql<boolean>`edges.location in (
        select unnest(locations) from shield_configs
        where shield_id = ${shieldId} and schema = ${configSchemaVersion})`,
    )
    .orderBy("edges.id")
    .execute();
  return rows.map(({ addresses }) => addresses);
}

function enrolledEdges(db: Executor) {
  return db
    .selectFrom("edges")
    .select("edges.addresses")
    .where("edges.kind", "=", "edge")
    .where("edges.revoked_at", "is", null)
    .where("edges.credential_hash", "is not", null);
}

export function selectServedPorts(db: Executor, shieldId: string) {
  return db
    .selectFrom("backend_groups")
    .leftJoin("backends", "backends.group_id", "backend_groups.id")
    .select(["backends.port", "backend_groups.proxy_protocol"])
    .where("backend_groups.shield_id", "=", shieldId)
    .execute();
}
