import { sql, type Kysely } from "kysely";

/** Saved cards. The provider holds the cards themselves; here is only what the owner is shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_customers (
      user_id uuid not null references users (id),
      -- Ours at the provider: the customers of another account are unknown to it.
      provider_account text not null,
      customer_id text not null unique,
      created_at timestamptz not null,
      primary key (user_id, provider_account)
    );

    create table saved_cards (
      id uuid primary key,
      user_id uuid not null references users (id),
      provider_account text not null,
      customer_id text not null references payment_customers (customer_id),
      payment_method text not null unique,
      brand text not null,
      last4 text not null check (last4 ~ '^[0-9]{4}$'),
      exp_month integer not null check (exp_month between 1 and 12),
      exp_year integer not null check (exp_year between 2000 and 9999),
      is_default boolean not null default false,
      created_at timestamptz not null,
      -- A removed card stays as a mark, so that an older answer of the provider brings no card back.
      removed_at timestamptz,
      -- The expiry that a mail was sent about, as YYYY-MM: a renewed card gets another one.
      warned_expiry text,
      check (removed_at is null or not is_default)
    );
    create unique index saved_cards_default on saved_cards (user_id) where is_default;
    create index saved_cards_user on saved_cards (user_id, created_at);

    create table card_setups (
      id uuid primary key,
      user_id uuid not null references users (id),
      provider_account text not null,
      -- Null until the provider has answered.
      reference text unique,
      status text not null check (status in ('open', 'completed', 'ended')),
      created_at timestamptz not null,
      next_poll_at timestamptz not null
    );
    create index card_setups_due on card_setups (next_poll_at) where status = 'open';
    create index card_setups_user on card_setups (user_id);
  `.execute(db);
}
