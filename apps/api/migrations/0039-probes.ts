import { sql, type Kysely } from "kysely";

/** Probes that edges are asked to make. A row lives for seconds and need not survive a crash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table probes (
      id uuid primary key,
      -- The one edge that may see the request and answer it.
      edge_id uuid not null references edges (id) on delete cascade,
      request text not null,
      given_at timestamptz,
      result text,
      -- By the database's clock, which all replicas share.
      expires_at timestamptz not null
    );
    create index probes_waiting on probes (edge_id, id) where result is null;
    create index probes_expires on probes (expires_at);
  `.execute(db);
}
