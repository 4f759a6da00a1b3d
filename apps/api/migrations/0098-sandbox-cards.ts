import { sql, type Kysely } from "kysely";

/** The sandbox provider keeps cards too. Like its checkouts they are in no relation to our tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sandbox_cards (
      payment_method text primary key,
      customer_id text not null,
      setup_id text not null unique,
      last4 text not null,
      exp_month integer not null,
      exp_year integer not null,
      removed_at timestamptz
    );
    create index sandbox_cards_customer on sandbox_cards (customer_id);
    alter table sandbox_checkouts add column card text;
  `.execute(db);
}
