import { sql, type Kysely } from "kysely";

/**
 * Rows name the key that their hash was made with; empty: none, from before this migration. No
 * default, so that an api of the previous version cannot go on adding rows without a key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table audit_log add column key_id text not null default '';
    alter table audit_log alter column key_id drop default;
    alter table audit_heads
      add column key_id text,
      -- Over the chain's name, its length and its last hash.
      add column seal text;
  `.execute(db);
}
