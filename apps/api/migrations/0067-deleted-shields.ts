import { sql, type Kysely } from "kysely";

/**
 * The state of a deleted shield, for its restoration, and when its rows were erased. Also the schema
 * of the configuration that an edge has.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table shields
      add column deleted_from text check (deleted_from in ('active', 'expired', 'blocked')),
      add column erased_at timestamptz;
    create index shields_to_purge on shields (deleted_at)
      where status = 'deleted' and erased_at is null;

    -- What the node asked for last, and the version from which on it was told in that schema: one
    -- that was told more in another would go on from there without what that one leaves out.
    alter table edges
      add column config_schema integer not null default 1,
      add column schema_since bigint not null default 0;
  `.execute(db);
}
