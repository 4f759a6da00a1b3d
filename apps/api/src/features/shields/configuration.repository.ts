import type { Insertable } from "kysely";
import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";
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

/**
 * The next global version. The row stays locked until `trx` ends, so the next one waits: versions
 * become visible in their order and none is ever skipped; a rollback gives its number back.
 */
export async function takeVersion(trx: Trx): Promise<number> {
  const head = await trx
    .updateTable("config_head")
    .set({ version: sql<number>`version + 1` })
    .returning("version")
    .executeTakeFirstOrThrow();
  return Number(head.version);
}

export async function upsertConfig(
  trx: Trx,
  row: Insertable<Database["shield_configs"]>,
): Promise<void> {
  await trx
    .insertInto("shield_configs")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["shield_id", "schema"]).doUpdateSet((eb) => ({
        revision: eb.ref("excluded.revision"),
        version: eb.ref("excluded.version"),
        locations: eb.ref("excluded.locations"),
        left_locations: eb.ref("excluded.left_locations"),
        config: eb.ref("excluded.config"),
        config_bytes: eb.ref("excluded.config_bytes"),
      })),
    )
    .execute();
}

/** Timed by the database, like acknowledgements: a difference of two machines' clocks is no duration. */
export async function insertRevision(
  trx: Trx,
  row: {
    readonly shieldId: string;
    readonly revision: number;
    readonly version: number;
    readonly config: string;
  },
): Promise<void> {
  await trx
    .insertInto("shield_revisions")
    .values({
      shield_id: row.shieldId,
      revision: row.revision,
      version: row.version,
      config: row.config,
      committed_at: sql<Date>`clock_timestamp()`,
    })
    .execute();
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
