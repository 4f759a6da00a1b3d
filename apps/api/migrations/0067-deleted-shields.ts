import { sql, type Kysely } from "kysely";

/** What a deleted shield was, for the one who restores it, and when its rows were erased. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table shields
      add column deleted_from text check (deleted_from in ('active', 'expired', 'blocked')),
      add column purged_at timestamptz;
    create index shields_to_purge on shields (deleted_at)
      where status = 'deleted' and purged_at is null;
  `.execute(db);
}
