import { sql, type Kysely } from "kysely";

/**
 * An edge reads only its newest stream. News of that stream reach other api processes a moment
 * later, so the requests for the edge are handed out by what is stored here.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table edges add column probe_stream uuid`.execute(db);
}
