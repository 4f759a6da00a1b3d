import { sql, type Kysely } from "kysely";

/** Edges, compiled configurations and what edges made of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table edges (
      id uuid primary key,
      name text not null,
      kind text not null check (kind in ('edge', 'dns')),
      location text not null references locations (name),
      token_hash text unique,
      token_expires_at timestamptz,
      credential_hash text unique,
      addresses jsonb not null default '[]',
      drained boolean not null default false,
      -- Where its configuration stood, by its own acknowledgements.
      config_version bigint not null default 0,
      -- The newest report whose gauges were taken over.
      boot_id uuid,
      gauge_seq bigint not null default 0,
      created_at timestamptz not null,
      enrolled_at timestamptz,
      last_seen_at timestamptz,
      revoked_at timestamptz
    );
    create unique index edges_name on edges (kind, name) where revoked_at is null;
    create index edges_location on edges (location) where revoked_at is null;

    -- Updating the one row takes the lock under which versions are handed out: the
    -- next writer waits for the commit, so no reader ever sees a later version first.
    create table config_head (
      id boolean primary key default true check (id),
      version bigint not null
    );
    insert into config_head (version) values (0);

    create table shield_configs (
      shield_id uuid not null references shields (id),
      schema integer not null,
      revision integer not null,
      version bigint not null,
      -- Locations whose edges receive it; none once the shield is deleted.
      locations text[] not null,
      -- Locations it was in before: their edges are told that it is gone.
      left_locations text[] not null default '{}',
      config text not null,
      config_bytes integer not null,
      primary key (shield_id, schema)
    );
    create index shield_configs_version on shield_configs (schema, version);

    create table shield_revisions (
      shield_id uuid not null references shields (id),
      revision integer not null,
      version bigint not null,
      config text not null,
      -- By the database's clock, as acknowledgements are: their difference is a duration.
      committed_at timestamptz not null,
      primary key (shield_id, revision)
    );

    create table edge_acks (
      edge_id uuid not null references edges (id),
      shield_id uuid not null references shields (id),
      applied_revision integer,
      applied_at timestamptz,
      rejected_revision integer,
      rejected_at timestamptz,
      reason text,
      primary key (edge_id, shield_id)
    );
    create index edge_acks_shield on edge_acks (shield_id);
  `.execute(db);
}
