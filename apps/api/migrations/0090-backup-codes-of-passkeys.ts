import { sql, type Kysely } from "kysely";

/** An account whose only second factor is a passkey has backup codes, too, but no authenticator's secret. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table two_factor alter column secret drop not null`.execute(db);
}
