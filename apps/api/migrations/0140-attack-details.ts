import { sql, type Kysely } from "kysely";

/** The course and the sources of attacks, and links to share them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Apart from the parts, which every report rewrites in place.
    create table attack_part_details (
      edge_id uuid not null,
      part_id uuid not null,
      attack_id uuid not null,
      detail jsonb not null,
      primary key (attack_id, edge_id, part_id),
      foreign key (edge_id, part_id, attack_id)
        references attack_parts (edge_id, part_id, attack_id) on delete cascade
    );
    -- For the deletion of a part, which looks for its detail by the edge.
    create index attack_part_details_part on attack_part_details (edge_id, part_id, attack_id);

    create table attack_shares (
      id uuid primary key,
      attack_id uuid not null references attacks (id) on delete cascade,
      -- The token itself is in the link alone.
      token_hash text not null unique,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index attack_shares_attack on attack_shares (attack_id, created_at);
    create index attack_shares_expired on attack_shares (expires_at);
  `.execute(db);
}
