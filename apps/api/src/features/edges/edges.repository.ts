import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { sql, type Insertable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";
import type { NodeKind } from "#src/schema/edges.ts";
import { isRecent } from "#src/features/liveness/liveness.service.ts";

const now = sql<Date>`clock_timestamp()`;

/** All nodes that staff see, including invited and revoked ones. */
export function selectEdges(db: Executor) {
  return edgeRows(db).orderBy("revoked_at", "desc").orderBy("name").orderBy("kind").execute();
}

export function selectEdge(db: Executor, id: string) {
  return edgeRows(db).where("id", "=", id).executeTakeFirst();
}

function edgeRows(db: Executor) {
  return db.selectFrom("edges").select([
    "id",
    "name",
    "kind",
    "location",
    "enrolled_at",
    "last_seen_at",
    "revoked_at",
    "created_at",
    "drained",
    "addresses",
    "config_version",
    "config_schema",
    "program_version",
    isRecent("last_seen_at").as("is_online"),
    sql<string>`(select version from config_head)`.as("stream_version"),
    sql<string>`(select count(*) from edge_acks
        join shield_configs on shield_configs.shield_id = edge_acks.shield_id
          and shield_configs.schema = ${configSchemaVersion}
        where edge_acks.edge_id = edges.id
          and edge_acks.rejected_revision >= shield_configs.revision)`.as("rejected"),
    loadOf("players"),
    loadOf("connections_per_second"),
    loadOf("bandwidth_bps"),
  ]);
}

/** The sum over the shields of the edge's last report. */
function loadOf<Column extends "players" | "connections_per_second" | "bandwidth_bps">(
  column: Column,
) {
  return sql<string>`(select coalesce(sum(${sql.ref(column)}), 0) from live_gauges
    where live_gauges.edge_id = edges.id and ${isRecent("live_gauges.at")})`.as(column);
}

/** An enrolled edge, locked until `trx` ends; zone DNS servers cannot be drained. */
export function lockDrainable(trx: Trx, id: string) {
  return trx
    .selectFrom("edges")
    .select(["location", "drained"])
    .where("id", "=", id)
    .where("kind", "=", "edge")
    .where("enrolled_at", "is not", null)
    .where("revoked_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Whether another edge of the location is online and takes new players. */
export async function hasOtherEdge(trx: Trx, location: string, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom("edges")
    .select("id")
    .where("location", "=", location)
    .where("id", "!=", id)
    .where("kind", "=", "edge")
    .where("drained", "=", false)
    .where("revoked_at", "is", null)
    .where(isRecent("last_seen_at"))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setDrained(trx: Trx, id: string, drained: boolean): Promise<void> {
  await trx.updateTable("edges").set({ drained }).where("id", "=", id).execute();
}

/** False where an unrevoked node of that kind has the name. */
export async function insertEdge(trx: Trx, row: Insertable<Database["edges"]>): Promise<boolean> {
  const result = await trx
    .insertInto("edges")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["kind", "name"]).where("revoked_at", "is", null).doNothing(),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Takes credential and token away; undefined where the node is unknown or was revoked before. */
export function revokeEdge(trx: Trx, id: string) {
  return trx
    .updateTable("edges")
    .set({ revoked_at: now, credential_hash: null, next_credential_hash: null, token_hash: null })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returning(["kind", "location", "enrolled_at"])
    .executeTakeFirst();
}

export function selectEdgeByName(trx: Trx, kind: NodeKind, name: string) {
  return trx
    .selectFrom("edges")
    .select("id")
    .where("kind", "=", kind)
    .where("name", "=", name)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

/** Uses up the token; undefined where it is unknown, used or expired. Two at once: one wins. */
export function enrolEdge(
  trx: Trx,
  enrolment: {
    readonly tokenHash: string;
    readonly credentialHash: string;
    readonly credentialExpiresAt: Date;
    readonly addresses: readonly string[];
    readonly now: Date;
  },
) {
  return trx
    .updateTable("edges")
    .set({
      token_hash: null,
      token_expires_at: null,
      credential_hash: enrolment.credentialHash,
      credential_expires_at: enrolment.credentialExpiresAt,
      addresses: JSON.stringify(enrolment.addresses),
      enrolled_at: now,
      last_seen_at: now,
    })
    .where("token_hash", "=", enrolment.tokenHash)
    .where("token_expires_at", ">", enrolment.now)
    .where("revoked_at", "is", null)
    .returning(["id", "kind", "location"])
    .executeTakeFirst();
}

/** The next credential, in place of one that was given out and never used. */
export async function putNextCredential(
  trx: Trx,
  id: string,
  next: { readonly hash: string; readonly expiresAt: Date },
): Promise<void> {
  await trx
    .updateTable("edges")
    .set({ next_credential_hash: next.hash, next_credential_expires_at: next.expiresAt })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}

export function selectEdgeByCredential(db: Executor, credentialHash: string) {
  return db
    .selectFrom("edges")
    .select(["id", "kind", "location", "credential_expires_at as expires_at"])
    .where("credential_hash", "=", credentialHash)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

/** The first use of the next credential: it is the only one from now on. */
export function takeNextCredential(db: Executor, credentialHash: string) {
  return db
    .updateTable("edges")
    .set((eb) => ({
      credential_hash: eb.ref("next_credential_hash"),
      credential_expires_at: eb.ref("next_credential_expires_at"),
      next_credential_hash: null,
      next_credential_expires_at: null,
    }))
    .where("next_credential_hash", "=", credentialHash)
    .where("revoked_at", "is", null)
    .returning(["id", "kind", "location", "credential_expires_at as expires_at"])
    .executeTakeFirst();
}
