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
  await dropPartitionsTwice(db);
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
