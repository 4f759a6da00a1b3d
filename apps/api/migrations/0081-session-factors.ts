import { sql, type Kysely } from "kysely";

/**
 * A session remembers by which factor its holder last proved who they are. The sessions there are
 * count as proven by the password: where two-factor is on, the next risky call asks for a code.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions add column authenticated_by text not null default 'password'
      check (authenticated_by in ('password', 'code', 'passkey'));
  `.execute(db);
}
