import { sql, type Kysely } from "kysely";

/** The settings that schema version 2 compiles, and the health of backends that edges report. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table backend_groups
      add column game text not null default 'minecraft' check (game in ('minecraft', 'other')),
      -- A location's name, or anycast_legacy for the edges of all.
      add column region text not null default 'anycast_legacy',
      -- Of the pool: no two shields share one on an edge.
      add column port integer unique check (port between 1 and 65535),
      -- Counts every change of the group and its servers: the resource's ETag.
      add column version integer not null default 1,
      add check ((game = 'other') = (port is not null)),
      add check (game = 'minecraft' or not is_default);

    alter table shield_domains
      add column group_id uuid references backend_groups (id) on delete set null,
      -- Taken away by the owner, who may take that back for a while.
      add column removed_at timestamptz;

    alter table shields add column region_changed_at timestamptz;

    -- Where players may still come in by what DNS said before.
    create table shield_left_locations (
      shield_id uuid not null references shields (id),
      location text not null references locations (name),
      until timestamptz not null,
      primary key (shield_id, location)
    );
    create index shield_left_locations_until on shield_left_locations (until);

    alter table shield_firewalls
      add column blacklist_changed_at timestamptz,
      add column whitelist_changed_at timestamptz,
      add column whitelist_only_changed_at timestamptz;

    alter table shield_messages
      add column offline_info text not null default '',
      add column forge_msg text not null default '',
      add column invalid_version_msg text not null default '',
      add column rejoin_msg text not null default '',
      add column bot_check_msg text not null default '',
      add column cooldown_msg text not null default '',
      add column max_connections_msg text not null default '',
      add column secure_profiles_msg text not null default '',
      add column vpn_msg text not null default '',
      add column bot_name_msg text not null default '',
      -- PNG, 64 x 64, as it is sent to players.
      add column offline_image bytea check (octet_length(offline_image) <= 16384);

    create table shield_caching (
      shield_id uuid primary key references shields (id),
      enabled boolean not null default true,
      purges integer not null default 0,
      purged_at timestamptz,
      version integer not null default 1
    );
    insert into shield_caching (shield_id) select id from shields;

    create table backend_health (
      edge_id uuid not null references edges (id),
      backend_id uuid not null references backends (id) on delete cascade,
      state text not null check (state in ('up', 'down', 'unknown')),
      players bigint not null,
      latency_ms integer,
      last_error text,
      changed_at timestamptz,
      reported_at timestamptz not null,
      primary key (edge_id, backend_id)
    );
    create index backend_health_backend on backend_health (backend_id);

    alter table traffic_minutes add column status_hits bigint not null default 0;
    alter table traffic_hours add column status_hits bigint not null default 0;
  `.execute(db);
}
