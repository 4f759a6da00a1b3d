import { sql, type Kysely } from "kysely";

/**
 * Names the history that versions of configuration count in. An operator who restores the database from a
 * backup gives it another name (`palisade database restored`), so that nodes do not go on from
 * versions which now mean something else.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table config_head add column epoch uuid not null default gen_random_uuid()
  `.execute(db);
}
