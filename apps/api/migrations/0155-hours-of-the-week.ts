import { sql, type Kysely } from "kysely";

/**
 * What the hours of the week are summed from, read from the index alone: each hour of a shield is on a page
 * of its own. Only declared; `finishIndexes` builds it for the months that exist.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index telemetry_hours_week on only telemetry_hours (shield_id, start)
      include (player_seconds, joins)
  `.execute(db);
}
