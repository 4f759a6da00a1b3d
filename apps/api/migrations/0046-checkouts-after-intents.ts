import { sql, type Kysely } from "kysely";

/**
 * An intent is committed before its checkout is ordered, so that nobody waits for a provider with
 * a transaction open: until the answer is there it has no reference.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_intents alter column reference drop not null`.execute(db);
}
