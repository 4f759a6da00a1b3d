import { sql, type Kysely } from "kysely";

/** When a new password last gave an account the day's guesses back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table two_factor_guesses add column forgiven_at timestamptz`.execute(db);
}
