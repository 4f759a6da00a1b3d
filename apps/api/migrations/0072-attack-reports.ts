import { sql, type Kysely } from "kysely";

/** The cost of a report on an attack does not grow with the number of attacks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index attacks_ended_shield on attacks (shield_id, ended_at) where is_over;
    create index attacks_ended_edge on attacks (edge_id, ended_at)
      where is_over and edge_id is not null;
    -- Not by when they were heard: that changes with each report.
    drop index attack_parts_running;
    create index attack_parts_open on attack_parts (edge_id) where ended_at is null;
  `.execute(db);
}
