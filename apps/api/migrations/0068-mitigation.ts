import { sql, type Kysely } from "kysely";

/**
 * The checks that players must pass before they join a shield. Configurations of schema 1, which no edge of this
 * version asks for, stay for the next version to delete: replicas of the version before may still
 * serve them, and an edge would take what is missing for deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shield_mitigation (
      shield_id uuid primary key references shields (id),
      -- What the owner has set; what is missing is the product's default.
      settings jsonb not null default '{}',
      version integer not null default 1
    );
    insert into shield_mitigation (shield_id) select id from shields;
  `.execute(db);
}
