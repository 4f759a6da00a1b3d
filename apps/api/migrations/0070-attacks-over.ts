import { sql, type Kysely } from "kysely";

/** An attack's end is told some time after it came: until then it may go on, elsewhere or anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Its end was told: nothing makes it go on.
    alter table attacks add column is_over boolean not null default false;
    update attacks set is_over = true where ended_at is not null;
    drop index attacks_open_shield;
    drop index attacks_open_edge;
    create unique index attacks_open_shield on attacks (shield_id) where not is_over;
    create unique index attacks_open_edge on attacks (edge_id) where not is_over;
    create index attacks_untold on attacks (ended_at) where not is_over and ended_at is not null;
  `.execute(db);
  await capFacts(db);
  await dropPartitionsTwice(db);
}

/** The api cuts them to less; this is for what it does not know of. */
async function capFacts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table login_entries add constraint login_entries_facts
      check (octet_length(facts::text) <= 4096);

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
        -- Whoever comes second finds it made.
        perform pg_advisory_xact_lock(7262392);
        continue when to_regclass('public.' || name) is not null;
        -- To attach one locks out nobody who reads or writes.
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

async function dropPartitionsTwice(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function drop_login_partitions(days_kept integer) returns integer
    language plpgsql security definer set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s' as $drop$
    declare
      oldest text := 'login_entries_' || to_char(
        (clock_timestamp() at time zone 'UTC')::date - greatest(days_kept, 3), 'YYYYMMDD');
      name text;
      dropped integer := 0;
    begin
      for name in
        select child.relname from pg_inherits
        join pg_class child on child.oid = pg_inherits.inhrelid
        where pg_inherits.inhparent = 'public.login_entries'::regclass
          and child.relname::text collate "C" < oldest order by child.relname
      loop
        -- Another process may just have done it.
        execute format('drop table if exists public.%I', name);
        dropped := dropped + 1;
      end loop;
      return dropped;
    end $drop$;
  `.execute(db);
}
