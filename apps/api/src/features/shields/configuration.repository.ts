import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { ShieldRows } from "./compile/compile-shield.ts";

/** The tables of one shield, in the orders a configuration lists them. */
export async function selectShieldRows(
  db: Executor,
  shieldId: string,
): Promise<ShieldRows & { shield: { revision: number; location: string } }> {
  const shield = await db
    .selectFrom("shields")
    .select(["id", "status", "cname_record", "location", "revision"])
    .where("id", "=", shieldId)
    .executeTakeFirstOrThrow();
  const domains = await db
    .selectFrom("shield_domains")
    .select(["name", "created_at", "verified_at"])
    .where("shield_id", "=", shieldId)
    .where("expired_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const groups = await db
    .selectFrom("backend_groups")
    .select(["id", "name", "balancing", "proxy_protocol", "is_default"])
    .where("shield_id", "=", shieldId)
    .orderBy("is_default", "desc")
    .orderBy("id")
    .execute();
  const backends = await db
    .selectFrom("backends")
    .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
    .select(["backends.id", "backends.group_id", "backends.host", "backends.port"])
    .where("backend_groups.shield_id", "=", shieldId)
    .orderBy("backends.id")
    .execute();
  const firewall = await db
    .selectFrom("shield_firewalls")
    .select(["blacklist_enabled", "whitelist_enabled", "whitelist_only"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  const entries = await db
    .selectFrom("firewall_entries")
    .select(["list", "address"])
    .where("shield_id", "=", shieldId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const messages = await db
    .selectFrom("shield_messages")
    .selectAll()
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return { shield, domains, groups, backends, firewall, entries, messages };
}

/** Where the shield's configuration goes now and went before. */
export async function selectPlacement(trx: Trx, shieldId: string) {
  const row = await trx
    .selectFrom("shield_configs")
    .select(["locations", "left_locations"])
    .where("shield_id", "=", shieldId)
    .orderBy("schema", "desc")
    .executeTakeFirst();
  return row ?? { locations: [], left_locations: [] };
}

export async function setRevision(trx: Trx, shieldId: string, revision: number): Promise<void> {
  await trx.updateTable("shields").set({ revision }).where("id", "=", shieldId).execute();
}

export interface Publication {
  readonly shieldId: string;
  readonly revision: number;
  readonly locations: readonly string[];
  readonly leftLocations: readonly string[];
  /** Empty where no edge is to have the shield any more. */
  readonly config: string;
  readonly schemas: readonly number[];
}

/**
 * Takes the next global version and stores the configuration under it. The head's row stays locked
 * until `trx` ends, so the next one waits: versions become visible in their order and none is ever
 * skipped; a rollback gives its number back. One statement, because everybody queues for it.
 * Revisions are timed by the database, like acknowledgements: a difference of two machines' clocks
 * is no duration.
 */
export async function publish(trx: Trx, publication: Publication): Promise<number> {
  const { shieldId, revision, config } = publication;
  const { rows } = await sql<{ version: string }>`
    with head as (
      update config_head set version = version + 1 returning version
    ), given as (
      select head.version, ${config}::text as config from head
    ), revision as (
      insert into shield_revisions (shield_id, revision, version, config, committed_at)
      select ${shieldId}::uuid, ${revision}::integer, version, config, clock_timestamp() from given
    ), stored as (
      insert into shield_configs (shield_id, schema, revision, version, locations, left_locations,
        config, config_bytes)
      select ${shieldId}::uuid, schema, ${revision}::integer, version, ${publication.locations}::text[],
        ${publication.leftLocations}::text[], config, octet_length(config)
      from given, unnest(${publication.schemas}::integer[]) schema
      on conflict (shield_id, schema) do update set revision = excluded.revision,
        version = excluded.version, locations = excluded.locations,
        left_locations = excluded.left_locations, config = excluded.config,
        config_bytes = excluded.config_bytes
    )
    select version from head
  `.execute(trx);
  return Number(rows[0]?.version);
}

export async function pruneRevisions(
  trx: Trx,
  shieldId: string,
  oldestKept: number,
): Promise<void> {
  await trx
    .deleteFrom("shield_revisions")
    .where("shield_id", "=", shieldId)
    .where("revision", "<", oldestKept)
    .execute();
}
