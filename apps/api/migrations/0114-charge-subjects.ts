import { sql, type Kysely } from "kysely";

/** The plan and period of a charge, as they were then: the invoice is issued later, and plans change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table documents_due add column charged_for jsonb`.execute(db);
}
