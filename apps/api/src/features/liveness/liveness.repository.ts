import { sql, type RawBuilder } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

/**
 * An edge that reported within this time is online. Edges report every few seconds. Liveness goes
 * by the database's clock on both sides, because the product's clock can be moved.
 */
export const onlineSeconds = 30;

/** SQL condition: the timestamp column was touched within `onlineSeconds`. */
export function isRecent(column: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(column)} > clock_timestamp() - make_interval(secs => ${onlineSeconds}), false)`;
}

/** Records that the node is alive; false once it is revoked. */
export async function touchEdge(db: Executor, id: string): Promise<boolean> {
  const result = await db
    .updateTable("edges")
    .set({ last_seen_at: sql<Date>`clock_timestamp()` })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False once the node is revoked, or its credential has expired. */
export async function isEnrolled(db: Executor, id: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom("edges")
    .select("id")
    .where("id", "=", id)
    .where("credential_hash", "is not", null)
    .where((eb) =>
      eb.or([eb("credential_expires_at", "is", null), eb("credential_expires_at", ">", now)]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** Addresses of every enrolled edge, spelled as the edges reported them. */
export async function selectEdgeAddresses(db: Executor): Promise<string[]> {
  const rows = await enrolledEdges(db).select("addresses").orderBy("id").execute();
  return rows.flatMap(({ addresses }) => addresses);
}

/** Addresses of every node that is not revoked, zone DNS included. */
export async function selectNodeAddresses(db: Executor): Promise<string[]> {
  const rows = await db
    .selectFrom("edges")
    .select("addresses")
    .where("revoked_at", "is", null)
    .execute();
  return rows.flatMap(({ addresses }) => addresses);
}

/** Edges that zone DNS may answer with. `is_recent` means nothing while the api itself was down. */
export function selectZoneEdges(db: Executor) {
  return enrolledEdges(db)
    .select(["id", "location", "addresses", "drained", isRecent("last_seen_at").as("is_recent")])
    .orderBy("id")
    .execute();
}

function enrolledEdges(db: Executor) {
  return db
    .selectFrom("edges")
    .where("kind", "=", "edge")
    .where("revoked_at", "is", null)
    .where("credential_hash", "is not", null);
}
