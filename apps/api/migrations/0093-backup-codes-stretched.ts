import { sql, type Kysely } from "kysely";

/**
 * Backup codes are kept as slow hashes under a salt of the account. A set without a salt is from before:
 * the api stretches its hashes by and by. The position of a code in its set tells which ones are unused.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table two_factor add column codes_salt text`.execute(db);
  await sql`alter table backup_codes add column position smallint`.execute(db);
}
