import { sql, type Kysely } from "kysely";

/**
 * Players of Bedrock among the counted ones, and an index for the log of these alone. The index is only
 * declared; `finishIndexes` builds it for the days that exist.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table telemetry_minutes
      add column bedrock_joins bigint, add column bedrock_player_seconds bigint;
    alter table telemetry_tens
      add column bedrock_joins bigint, add column bedrock_player_seconds bigint;
    alter table telemetry_hours
      add column bedrock_joins bigint, add column bedrock_player_seconds bigint;
    alter table telemetry_days
      add column bedrock_joins bigint, add column bedrock_player_seconds bigint;

    create index login_entries_bedrock on only login_entries (shield_id, at, id)
      where facts ->> 'edition' = 'bedrock';
  `.execute(db);
}
