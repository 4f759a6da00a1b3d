import { sql, type Kysely } from "kysely";

/**
 * The sums of the hours of the week read this index alone, because each hour of a shield is on another page
 * of the table. Only declared; `finishIndexes` builds it for the months that exist.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index telemetry_hours_week on only telemetry_hours (shield_id, start)
      include (player_seconds, joins)
  `.execute(db);
}
