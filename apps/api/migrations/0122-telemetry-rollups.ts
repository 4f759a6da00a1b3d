import { sql, type Kysely } from "kysely";

/**
 * Counters of shields by minute, with rollups to ten minutes, hours and days. Minutes are only added;
 * a rollup is computed anew from the next finer table. Null stands for 0, which costs no space.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table telemetry_minutes (
      shield_id uuid not null,
      start timestamptz not null,
      edge_id uuid not null,
      joins bigint,
      pings bigint,
      status_hits bigint,
      refused bigint,
      challenged bigint,
      verified bigint,
      bytes_up bigint,
      bytes_down bigint,
      attack_bytes bigint,
      player_seconds bigint,
      players_max bigint,
      connections_max bigint,
      checks bigint,
      checks_up bigint,
      latency_ms bigint,
      -- Counts by reason: r:<reason> of refusals, s:<reason> of shadow mode.
      reasons jsonb,
      -- Joins: p:<protocol>, c:<country>, n:<number of the network> <its name>; p:, c:, n: for all others.
      tops jsonb,
      -- HyperLogLog of the names that joined: 16 * register + rank - 32768.
      sketch smallint[]
    ) partition by range (start);
    create index telemetry_minutes_shield on telemetry_minutes (shield_id, start);
    create index telemetry_minutes_start on telemetry_minutes using brin (start);

    create table telemetry_tens (
      like telemetry_minutes, primary key (shield_id, start)
    ) partition by range (start);
    alter table telemetry_tens drop column edge_id;
    create table telemetry_hours (
      like telemetry_tens, primary key (shield_id, start)
    ) partition by range (start);
    create table telemetry_days (
      like telemetry_tens, primary key (shield_id, start)
    ) partition by range (start);

    -- The minutes in a report, and how far they are rolled up: 1 into ten minutes, 2 hours, 3 days.
    alter table telemetry_reports
      add column first_minute timestamptz,
      add column last_minute timestamptz,
      add column rolled smallint not null default 3;
    create index telemetry_reports_tens on telemetry_reports (first_minute) where rolled < 1;
    create index telemetry_reports_hours on telemetry_reports (first_minute) where rolled < 2;
    create index telemetry_reports_days on telemetry_reports (first_minute) where rolled < 3;

    -- Times that edges of a location have reported; others are gaps. step: seconds.
    create table telemetry_coverage (
      location text not null,
      step integer not null,
      start timestamptz not null,
      primary key (location, step, start)
    );
    create index telemetry_coverage_start on telemetry_coverage (step, start);

    alter table edges
      add column has_countries boolean,
      add column has_networks boolean;
  `.execute(db);
  await makePartitions(db);
  await makeViews(db);
}

/** A partition is its owner's to make and to drop, and the api runs as another role. */
async function makePartitions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function make_telemetry_partition(parent text, first date, after date) returns integer
    language plpgsql security definer set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s' as $make$
    declare
      name text := parent || '_' || to_char(first, 'YYYYMMDD');
    begin
      if parent not in ('telemetry_minutes', 'telemetry_tens', 'telemetry_hours', 'telemetry_days')
      then
        raise exception 'not a table of telemetry';
      end if;
      if to_regclass('public.' || name) is not null then return 0; end if;
      perform pg_advisory_xact_lock(7262393);
      -- to_regclass would still answer from before the wait.
      if exists (
        select from pg_class where relname = name and relnamespace = 'public'::regnamespace)
      then
        return 0;
      end if;
      -- Attaching a partition does not block readers and writers.
      execute format('create table public.%I (like public.%I)', name, parent);
      execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
        parent, name, to_char(first, 'YYYY-MM-DD 00:00:00+00'), to_char(after, 'YYYY-MM-DD 00:00:00+00'));
      return 1;
    end $make$;

    create function make_telemetry_partitions(days_ahead integer) returns integer
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $make$
    declare
      today date := (clock_timestamp() at time zone 'UTC')::date;
      month date := date_trunc('month', today)::date;
      given date;
      parent text;
      made integer := 0;
    begin
      for given in select generate_series(today - 3, today + least(days_ahead, 31), '1 day')::date
      loop
        foreach parent in array array['telemetry_minutes', 'telemetry_tens'] loop
          made := made + public.make_telemetry_partition(parent, given, given + 1);
        end loop;
      end loop;
      for given in
        select generate_series(month - interval '1 month', month + interval '2 months', '1 month')::date
      loop
        foreach parent in array array['telemetry_hours', 'telemetry_days'] loop
          made := made + public.make_telemetry_partition(
            parent, given, (given + interval '1 month')::date);
        end loop;
      end loop;
      return made;
    end $make$;

    -- Drops the oldest partition of a table if it ends before the time.
    create function drop_telemetry_partition(parent text, before timestamptz) returns integer
    language plpgsql security definer set search_path = pg_catalog, pg_temp
    set lock_timeout = '500ms' as $drop$
    declare
      name text;
      after date;
    begin
      if parent not in ('telemetry_minutes', 'telemetry_tens', 'telemetry_hours', 'telemetry_days')
      then
        raise exception 'not a table of telemetry';
      end if;
      name := (select min(child.relname::text collate "C") from pg_inherits
        join pg_class child on child.oid = pg_inherits.inhrelid
        where pg_inherits.inhparent = ('public.' || parent)::regclass);
      if name is null then return 0; end if;
      after := to_date(right(name, 8), 'YYYYMMDD');
      after := case when parent in ('telemetry_hours', 'telemetry_days')
        then (after + interval '1 month')::date else after + 1 end;
      if after > (before at time zone 'UTC')::date then return 0; end if;
      -- Another process may just have done it.
      execute format('drop table if exists public.%I', name);
      return 1;
    end $drop$;

    select make_telemetry_partitions(4);
  `.execute(db);
}

/**
 * Every counted minute once: from the coarsest table that has it whole. Rows of one shield and hour (or
 * day) are to be summed.
 */
async function makeViews(db: Kysely<unknown>): Promise<void> {
  const columns = sql.raw(
    `joins, pings, status_hits, refused, challenged, verified, bytes_up, bytes_down, attack_bytes,
      player_seconds, reasons`,
  );
  const bin = (step: string) =>
    sql.raw(`date_bin('${step}', start, timestamptz '2000-01-01 00:00:00+00')`);
  /** Start of the first ten minutes, hour or day that is not rolled up to the level. */
  const cut = (level: number, step: string) =>
    sql.raw(`(select coalesce(date_bin('${step}', min(first_minute),
      timestamptz '2000-01-01 00:00:00+00'), 'infinity')
      from telemetry_reports where rolled < ${level})`);
  await sql`
    create view telemetry_hourly as
    select shield_id, start as hour, ${columns} from telemetry_hours
      where start < ${cut(2, "1 hour")}
    union all
    select shield_id, ${bin("1 hour")}, ${columns} from telemetry_tens
      where start >= ${cut(2, "1 hour")} and start < ${cut(1, "10 minutes")}
    union all
    select shield_id, ${bin("1 hour")}, ${columns} from telemetry_minutes
      where start >= ${cut(1, "10 minutes")};

    create view telemetry_daily as
    select shield_id, start as day, ${columns} from telemetry_days
      where start < ${cut(3, "1 day")}
    union all
    select shield_id, ${bin("1 day")}, ${columns} from telemetry_hours
      where start >= ${cut(3, "1 day")} and start < ${cut(2, "1 hour")}
    union all
    select shield_id, ${bin("1 day")}, ${columns} from telemetry_tens
      where start >= ${cut(2, "1 hour")} and start < ${cut(1, "10 minutes")}
    union all
    select shield_id, ${bin("1 day")}, ${columns} from telemetry_minutes
      where start >= ${cut(1, "10 minutes")};
  `.execute(db);
}
