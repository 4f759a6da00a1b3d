import { sql, type Kysely } from "kysely";

/** Second factors of logins on known devices are counted apart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table two_factor_guesses
      drop constraint two_factor_guesses_place_check,
      add check (place in ('login', 'device', 'session'))
  `.execute(db);
}
