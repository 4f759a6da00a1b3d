import { sql, type Kysely } from "kysely";

/** What shields ask of players before they join. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shield_mitigation (
      shield_id uuid primary key references shields (id),
      -- What the owner has set; what is missing is the product's default.
      settings jsonb not null default '{}',
      version integer not null default 1
    );
    insert into shield_mitigation (shield_id) select id from shields;

    -- No edge this version serves asks for it any more.
    delete from shield_configs where schema = 1;
  `.execute(db);
}
