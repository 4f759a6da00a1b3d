import { sql, type Kysely } from "kysely";

/** The last row of each chain that a mark names (see `audit-marks.ts`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_heads add column marked_seq bigint not null default 0`.execute(db);
}
