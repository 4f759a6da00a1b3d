import { sql, type Kysely } from "kysely";

/** A support plan whose first period the operator gave away was not charged. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table support_subscriptions add column first_is_given boolean not null default false
  `.execute(db);
}
