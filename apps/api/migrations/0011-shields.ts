import { sql, type Kysely } from "kysely";

/** Shields and the settings an edge configuration is compiled from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shields (
      id uuid primary key,
      owner_id uuid not null references users (id),
      server_name text not null,
      status text not null check (status in ('active', 'expired', 'blocked', 'deleted')),
      pricing_plan_id uuid not null references pricing_plans (id),
      cname_record text not null unique,
      location text not null references locations (name),
      revision integer not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz,
      deleted_at timestamptz,
      check ((status = 'deleted') = (deleted_at is not null))
    );
    create index shields_owner on shields (owner_id);
    create index shields_location on shields (location);

    -- Labels are never reissued: a row stays when its shield goes.
    create table cname_reservations (
      cname_record text primary key,
      user_id uuid not null references users (id),
      shield_id uuid references shields (id) deferrable initially deferred,
      created_at timestamptz not null
    );

    create table shield_members (
      shield_id uuid not null references shields (id),
      user_id uuid not null references users (id),
      role text not null check (role in ('owner', 'member')),
      created_at timestamptz not null,
      primary key (shield_id, user_id)
    );
    create index shield_members_user on shield_members (user_id);

    create table shield_domains (
      id uuid primary key,
      shield_id uuid not null references shields (id),
      name text not null,
      created_at timestamptz not null,
      verified_at timestamptz,
      unique (shield_id, name)
    );
    -- One proven claimant per domain; unproven claims may compete.
    create unique index shield_domains_proven on shield_domains (name) where verified_at is not null;

    create table backend_groups (
      id uuid primary key,
      shield_id uuid not null references shields (id),
      name text not null,
      balancing text not null
        check (balancing in ('round_robin', 'least_connections', 'ip_hash', 'random')),
      proxy_protocol boolean not null,
      is_default boolean not null,
      created_at timestamptz not null
    );
    create index backend_groups_shield on backend_groups (shield_id);
    create unique index backend_groups_default on backend_groups (shield_id) where is_default;

    create table backends (
      id uuid primary key,
      group_id uuid not null references backend_groups (id) on delete cascade,
      host text not null,
      port integer not null check (port between 1 and 65535),
      created_at timestamptz not null
    );
    create index backends_group on backends (group_id);

    create table shield_firewalls (
      shield_id uuid primary key references shields (id),
      blacklist_enabled boolean not null default true,
      whitelist_enabled boolean not null default true,
      whitelist_only boolean not null default false,
      -- Counts every change of switches and entries: the resource's ETag.
      version integer not null default 1
    );

    create table firewall_entries (
      id uuid primary key,
      shield_id uuid not null references shields (id),
      list text not null check (list in ('blacklist', 'whitelist')),
      address text not null,
      created_at timestamptz not null,
      unique (shield_id, list, address)
    );

    create table shield_messages (
      shield_id uuid primary key references shields (id),
      version_info text not null default '',
      motd_line1 text not null default '',
      motd_line2 text not null default '',
      offline_kick_msg text not null default '',
      blacklist_msg text not null default '',
      whitelist_msg text not null default '',
      version integer not null default 1
    );
  `.execute(db);
}
