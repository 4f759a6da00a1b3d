import { sql, type Kysely } from "kysely";

/**
 * An intent is committed before its checkout is ordered, so that no transaction stays open while a
 * provider answers. Until then the intent has no reference.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_intents alter column reference drop not null`.execute(db);
}
