import { sql, type Kysely } from "kysely";

/** While an edge hands over to its next start the former one may still be heard. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Starts that a later one has followed, the last few.
    alter table edges add column former_boots uuid[] not null default '{}';
  `.execute(db);
}
