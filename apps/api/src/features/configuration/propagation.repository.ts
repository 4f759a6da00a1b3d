import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import { isRecent } from "#src/features/liveness/liveness.service.ts";

/** A revision that is still kept, or the newest one. */
export function selectRevision(db: Executor, shieldId: string, revision: number | undefined) {
  const query = db
    .selectFrom("shield_revisions")
    .select(["revision", "committed_at"])
    .where("shield_id", "=", shieldId);
  return (revision === undefined ? query : query.where("revision", "=", revision))
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Edges online that receive the shield, with what they made of it: also those of groups' regions,
 * and of a region it has left lately.
 */
export function selectReceipts(db: Executor, shieldId: string) {
  return db
    .selectFrom("edges")
    .innerJoin("shield_configs", (join) =>
      join
        .on("shield_configs.shield_id", "=", shieldId)
        .on("shield_configs.schema", "=", configSchemaVersion)
        .on(sql<boolean>`edges.location = any (shield_configs.locations)`),
    )
    .leftJoin("edge_acks", (join) =>
      join.onRef("edge_acks.edge_id", "=", "edges.id").on("edge_acks.shield_id", "=", shieldId),
    )
    .select([
      "edges.name",
      "edges.location",
      "edges.enrolled_at",
      "edge_acks.applied_revision",
      "edge_acks.applied_at",
      "edge_acks.rejected_revision",
      "edge_acks.reason",
    ])
    .where("edges.kind", "=", "edge")
    .where("edges.revoked_at", "is", null)
    .where(sql<boolean>`edges.credential_hash is not null`)
    .where(isRecent("edges.last_seen_at"))
    .orderBy("edges.name")
    .execute();
}
