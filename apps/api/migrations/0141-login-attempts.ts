import { sql, type Kysely } from "kysely";

/**
 * The facts that a verdict was made from, for replays of the log. The table is live and large: the
 * column is only declared, and entries of earlier edges have none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table login_entries add column attempt jsonb`.execute(db);
}
