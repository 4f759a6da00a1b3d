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

/** Those of them that nobody else is at and that are outdated still, held until `trx` ends. */
export async function lockOutdated(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const held = await sql<{ id: string }>`
    select id from shields where id = any(${ids}::uuid[])
    order by id for no key update skip locked
  `.execute(trx);
  // Asked in a statement of its own: another process may have been at one until just now.
  const { rows } = await sql<{ shield_id: string }>`
    select distinct other.shield_id from ${outdated}
      and other.shield_id = any(${held.rows.map(({ id }) => id)}::uuid[])
    order by other.shield_id
  `.execute(trx);
  return rows.map(({ shield_id }) => shield_id);
}

/** What was stored last, in whatever schema that was. */
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
