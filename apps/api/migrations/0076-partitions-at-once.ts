import { sql, type Kysely } from "kysely";

/**
 * Two processes may make the days of the log at once, for example after midnight. The second one
 * looks into pg_class under the lock: to_regclass would still answer from before the wait.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function make_login_partitions(days_ahead integer) returns integer
    language plpgsql security definer set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s' as $make$
    declare
      today date := (clock_timestamp() at time zone 'UTC')::date;
      given date;
      name text;
      made integer := 0;
    begin
      for given in select generate_series(today - 2, today + least(days_ahead, 31), '1 day')::date
      loop
        name := 'login_entries_' || to_char(given, 'YYYYMMDD');
        continue when to_regclass('public.' || name) is not null;
        perform pg_advisory_xact_lock(7262392);
        continue when exists (
          select from pg_class where relname = name and relnamespace = 'public'::regnamespace);
        -- Attaching a partition does not block readers and writers.
        execute format(
          'create table public.%I (like public.login_entries including constraints)', name);
        execute format(
          'alter table public.login_entries attach partition public.%I for values from (%L) to (%L)',
          name, to_char(given, 'YYYY-MM-DD 00:00:00+00'), to_char(given + 1, 'YYYY-MM-DD 00:00:00+00'));
        made := made + 1;
      end loop;
      return made;
    end $make$;
  `.execute(db);
}
