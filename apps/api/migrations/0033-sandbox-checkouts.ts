import { sql, type Kysely } from "kysely";

/**
 * The sandbox provider's own record, as another company would keep it: nothing refers to it from
 * our tables, and it to none of them. Empty in production.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sandbox_checkouts (
      reference text primary key,
      -- What the merchant calls it: a repeated order gets the same checkout.
      order_id uuid not null unique,
      payment_method text not null check (payment_method in ('stripe', 'paypal')),
      amount_cents bigint not null check (amount_cents > 0),
      currency text not null,
      account text not null,
      status text not null check (status in ('open', 'paid', 'cancelled')),
      success_path text not null,
      cancel_path text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
  `.execute(db);
}
