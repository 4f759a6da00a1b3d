import { sql, type Kysely } from "kysely";

/** How a shield's plan is renewed: whether at all, and whether from the balance. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table shields
      add column automatic_renewal boolean not null default true,
      add column include_balance boolean not null default true,
      -- The toggles stay locked for a moment after a change, for every replica alike.
      add column automatic_renewal_changed_at timestamptz,
      add column include_balance_changed_at timestamptz;
  `.execute(db);
}
