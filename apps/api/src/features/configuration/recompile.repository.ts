import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { hasOldKey } from "./cookie-keys.repository.ts";

/** The newest schema's is missing, or older than that of another schema, or has an old key. */
const outdated = sql`
  shield_configs other
    left join shield_configs newest
      on newest.shield_id = other.shield_id and newest.schema = ${configSchemaVersion}
  where (other.schema <> ${configSchemaVersion}
      and (newest.revision is null or newest.revision < other.revision)
    or other.schema = ${configSchemaVersion} and ${hasOldKey})`;

/** Shields an api of the version before wrote last, or with an old key, in the order of their ids. */
export async function selectOutdated(
  db: Executor,
  window: { readonly afterId: string | null; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ shield_id: string }>`
    select distinct other.shield_id from ${outdated}
      and (${window.afterId}::uuid is null or other.shield_id > ${window.afterId}::uuid)
    order by other.shield_id limit ${window.limit}
  `.execute(db);
  return rows.map(({ shield_id }) => shield_id);
}

/** Locks those shields until `trx` ends that are still outdated and that no other process holds. */
export async function lockOutdated(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const held = await sql<{ id: string }>`
    select id from shields where id = any(${ids}::uuid[])
    order by id for no key update skip locked
  `.execute(trx);
  // A second statement, because another process may have recompiled one until just now.
  const { rows } = await sql<{ shield_id: string }>`
    select distinct other.shield_id from ${outdated}
      and other.shield_id = any(${held.rows.map(({ id }) => id)}::uuid[])
    order by other.shield_id
  `.execute(trx);
  return rows.map(({ shield_id }) => shield_id);
}

/** The configuration stored last, in any schema. */
export async function selectStoredConfig(trx: Trx, shieldId: string) {
  return trx
    .selectFrom("shield_configs")
    .select(["schema", "config", "locations"])
    .where("shield_id", "=", shieldId)
    .orderBy("revision", "desc")
    .orderBy("schema", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
}
