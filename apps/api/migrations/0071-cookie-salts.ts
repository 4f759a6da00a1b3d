import { sql, type Kysely } from "kysely";

/** Keys of transferred players' cookies can be renewed: for a location's shields, or for all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Another one makes new keys for all shields that the location's edges have or had.
    alter table locations add column cookie_salt bigint not null default 0;
    -- What the stored key was made with: the sum over the shield's locations.
    alter table shield_configs add column cookie_salt numeric not null default 0;
  `.execute(db);
}
