import type { Executor } from "#src/platform/database/db.ts";

/** Addresses as edges gave them, in any spelling; of each edge its own list, online or not. */
export async function selectFleetAddresses(db: Executor): Promise<(readonly string[])[]> {
  const rows = await db
    .selectFrom("edges")
    .select("addresses")
    .where("kind", "=", "edge")
    .where("revoked_at", "is", null)
    .where("credential_hash", "is not", null)
    .orderBy("id")
    .execute();
  return rows.map(({ addresses }) => addresses);
}

export function selectServedPorts(db: Executor, shieldId: string) {
  return db
    .selectFrom("backend_groups")
    .leftJoin("backends", "backends.group_id", "backend_groups.id")
    .select(["backends.port", "backends.bedrock_port", "backend_groups.proxy_protocol"])
    .where("backend_groups.shield_id", "=", shieldId)
    .execute();
}
