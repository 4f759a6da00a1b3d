import { sql, type Kysely } from "kysely";

/** The sweep of entries that have ended asks every minute which shield is due. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index shield_firewalls_next_end on shield_firewalls (next_end_at)
      where next_end_at is not null;
  `.execute(db);
}
