import { sql, type Kysely } from "kysely";

/** Days of the log are dropped one by one: waiting for the lock of one stops all telemetry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function drop_login_partitions(days_kept integer) returns integer
    language plpgsql security definer set search_path = pg_catalog, pg_temp
    set lock_timeout = '500ms' as $drop$
    declare
      name text := (
        select min(child.relname::text collate "C") from pg_inherits
        join pg_class child on child.oid = pg_inherits.inhrelid
        where pg_inherits.inhparent = 'public.login_entries'::regclass);
    begin
      if name is null or name collate "C" >= 'login_entries_' || to_char(
        (clock_timestamp() at time zone 'UTC')::date - greatest(days_kept, 3), 'YYYYMMDD')
      then
        return 0;
      end if;
      -- Another process may just have done it.
      execute format('drop table if exists public.%I', name);
      return 1;
    end $drop$;
  `.execute(db);
}
