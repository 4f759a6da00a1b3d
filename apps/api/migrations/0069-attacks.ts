import { sql, type Kysely } from "kysely";

/** Attacks as all edges together have them, and the owners' log of logins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table attacks (
      id uuid primary key,
      -- One of both: a shield's, of all edges together, or an edge's as a whole.
      shield_id uuid references shields (id),
      edge_id uuid references edges (id),
      started_at timestamptz not null,
      ended_at timestamptz,
      -- Of its parts: sums, but for sources, which is the largest, and the weakest level.
      peak_per_second bigint not null default 0,
      sources bigint not null default 0,
      refused jsonb not null default '{}',
      edges integer not null default 1,
      relaxed_to text,
      check ((shield_id is null) <> (edge_id is null))
    );
    create unique index attacks_open_shield on attacks (shield_id) where ended_at is null;
    create unique index attacks_open_edge on attacks (edge_id) where ended_at is null;
    create index attacks_shield on attacks (shield_id, started_at, id);
    create index attacks_edge on attacks (edge_id, started_at) where edge_id is not null;

    -- An attack as one edge has it.
    create table attack_parts (
      edge_id uuid not null references edges (id),
      -- By which the edge names it. Heard again after it was given up, it has a part in another.
      part_id uuid not null,
      attack_id uuid not null references attacks (id) on delete cascade,
      boot_id uuid not null,
      seq bigint not null,
      started_at timestamptz not null,
      ended_at timestamptz,
      -- Its end was never reported, because the edge fell silent.
      is_lost boolean not null default false,
      peak_per_second bigint not null,
      sources bigint not null,
      refused jsonb not null,
      relaxed_to text,
      heard_at timestamptz not null,
      -- When its silence was first seen.
      missed_at timestamptz,
      primary key (edge_id, part_id, attack_id)
    );
    create index attack_parts_attack on attack_parts (attack_id);
    create index attack_parts_running on attack_parts (heard_at) where ended_at is null;

    -- What is to be told of an attack: each kind once.
    create table attack_events (
      id uuid primary key,
      attack_id uuid not null references attacks (id) on delete cascade,
      kind text not null check (kind in ('started', 'stopped')),
      at timestamptz not null,
      unique (attack_id, kind)
    );

    create table traffic_shadowed (
      shield_id uuid not null references shields (id),
      hour timestamptz not null,
      reason text not null,
      count bigint not null,
      primary key (shield_id, hour, reason)
    );
    alter table traffic_hours
      add column challenged bigint not null default 0,
      add column verified bigint not null default 0;

    -- Without a foreign key: to make or drop a day would lock shields and edges.
    create table login_entries (
      id uuid not null,
      shield_id uuid not null,
      at timestamptz not null,
      edge_id uuid not null,
      verdict text not null,
      shadow boolean not null,
      player text not null,
      ip inet not null,
      protocol integer not null,
      host text not null,
      trace text not null,
      -- The api cuts them to less; this is for what it does not know of.
      facts jsonb not null
        constraint login_entries_facts check (octet_length(facts::text) <= 4096),
      primary key (shield_id, at, id)
    ) partition by range (at);
    create index login_entries_verdict on login_entries (shield_id, verdict, at, id);
    create index login_entries_player on login_entries (shield_id, lower(player), at, id);
    create index login_entries_ip on login_entries (shield_id, ip, at, id);
    create index login_entries_trace on login_entries (shield_id, trace);
  `.execute(db);
  await makePartitions(db);
}

/** A partition is its owner's to make and to drop, and the api runs as another role. */
async function makePartitions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function make_login_partitions(days_ahead integer) returns integer
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
        -- A second caller finds it made.
        perform pg_advisory_xact_lock(7262392);
        continue when to_regclass('public.' || name) is not null;
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

    create function drop_login_partitions(days_kept integer) returns integer
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
        execute format('drop table public.%I', name);
        dropped := dropped + 1;
      end loop;
      return dropped;
    end $drop$;

    select make_login_partitions(4);
  `.execute(db);
}
