import { sql, type Kysely } from "kysely";

/**
 * The countries and networks of players, and the search of the log. The table is live and large: here, its columns
 * and indexes are only declared, which takes milliseconds. `finishIndexes` builds the indexes of the
 * days that exist, without blocking anyone; each new day has them from the start.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table login_entries
      add column country text,
      add column asn bigint,
      add column network text;

    create index login_entries_country on only login_entries (shield_id, country, at, id)
      where country is not null;
    create index login_entries_host on only login_entries (shield_id, lower(host), at, id);
    create index login_entries_shadow on only login_entries (shield_id, at, id) where shadow;

    -- The interval at which a person's console reads a shield's log again.
    create table log_intervals (
      user_id uuid not null references users (id),
      shield_id uuid not null references shields (id),
      seconds integer not null check (seconds between 0 and 3600),
      primary key (user_id, shield_id)
    );
    create index log_intervals_shield on log_intervals (shield_id);
  `.execute(db);
  // A trusted extension: the owner of a database may create it, unless its files are not installed.
  // Without it, the search reads row by row.
  await sql`
    do $$ begin
      create extension if not exists pg_trgm with schema public;
      create extension if not exists btree_gin with schema public;
      create index login_entries_search on only login_entries
        using gin (shield_id, lower(player || chr(31) || host || chr(31) || trace) gin_trgm_ops);
    exception when undefined_file or insufficient_privilege or feature_not_supported then
      raise notice 'pg_trgm or btree_gin is not available: the search of logs has no index';
    end $$
  `.execute(db);
}
