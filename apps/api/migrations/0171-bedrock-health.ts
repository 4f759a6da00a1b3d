import { sql, type Kysely } from "kysely";

/** How backends answer players of Bedrock, as edges see it, and what owners were told of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bedrock_health (
      edge_id uuid not null references edges (id),
      backend_id uuid not null references backends (id) on delete cascade,
      state text not null check (state in ('up', 'down', 'unknown')),
      players bigint not null,
      latency_ms integer,
      last_error text,
      -- Always false: only the port for Java is tried with and without PROXY protocol.
      expects_proxy boolean not null default false,
      changed_at timestamptz,
      reported_at timestamptz not null,
      primary key (edge_id, backend_id)
    );
    create index bedrock_health_backend on bedrock_health (backend_id);

    create table bedrock_watches (
      backend_id uuid primary key references backends (id) on delete cascade,
      is_down boolean not null,
      -- Since when the edges say otherwise; null while they agree.
      differs_since timestamptz,
      changed_at timestamptz not null
    );
  `.execute(db);
}
