import { sql, type Kysely } from "kysely";

/** Bedrock: whether a shield takes its players, on which ports, and where its backends take them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Without a row, a shield has Bedrock off and no right to the default port.
    create table shield_bedrock (
      shield_id uuid primary key references shields (id),
      enabled boolean not null default false,
      -- Staff granted it the default port.
      default_granted boolean not null default false,
      version integer not null default 1
    );

    create table bedrock_ports (
      id uuid primary key,
      -- Null once the shield is erased: the port still rests.
      shield_id uuid references shields (id),
      port integer not null check (port between 1 and 65535),
      -- Of the default port, which has an owner in each location; null for the others.
      location text references locations (name),
      created_at timestamptz not null,
      -- Since then the port rests, before another shield may have it.
      removed_at timestamptz,
      constraint bedrock_ports_owner unique nulls not distinct (port, location)
    );
    create index bedrock_ports_shield on bedrock_ports (shield_id);

    alter table backends
      add column bedrock_port integer check (bedrock_port between 1 and 65535),
      add column bedrock_proxy text not null default 'off'
        check (bedrock_proxy in ('off', 'first', 'every'));
  `.execute(db);
}
