import { sql, type Kysely } from "kysely";

/**
 * How often a code has been used stands on the code, changed under the lock its claims are made
 * under: to look at a code of which there are many claims is not to count them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table promo_codes add column claims integer not null default 0 check (claims >= 0);
    update promo_codes c
      set claims = (select count(*) from promo_claims p where p.promo_code_id = c.id);
  `.execute(db);
}
