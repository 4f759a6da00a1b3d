import { sql, type Kysely } from "kysely";

/**
 * Top-ups: an intent is an order, an event is a provider's notice. Neither of them credits money;
 * only the provider's own record does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_txns drop constraint ledger_txns_kind_check;
    alter table ledger_txns add constraint ledger_txns_kind_check check (kind in (
      'top_up', 'promo_bonus', 'purchase', 'renewal', 'refund', 'dispute', 'adjustment'
    ));

    create table promo_codes (
      id uuid primary key,
      -- Upper case: codes are compared without regard to it.
      code text not null unique check (code ~ '^[A-Z0-9_-]{3,32}$'),
      percentage integer not null check (percentage between 1 and 100),
      starts_at timestamptz not null,
      -- Null: no end, no limit.
      ends_at timestamptz,
      per_user_max integer check (per_user_max > 0),
      total_max integer check (total_max > 0),
      created_at timestamptz not null,
      check (ends_at > starts_at)
    );

    create table payment_intents (
      id uuid primary key,
      user_id uuid not null references users (id),
      payment_method text not null check (payment_method in ('stripe', 'paypal')),
      provider text not null check (provider in ('stripe', 'paypal', 'sandbox')),
      -- Ours at the provider, and its name for the checkout.
      provider_account text not null,
      reference text not null,
      amount_cents bigint not null check (amount_cents > 0),
      currency text not null check (currency = 'EUR'),
      promo_code_id uuid references promo_codes (id),
      promo_state text check (promo_state in ('promised', 'applied', 'not_applied')),
      -- Promised at first, then what was credited.
      bonus_cents bigint not null check (bonus_cents >= 0),
      status text not null
        check (status in ('pending', 'completed', 'cancelled', 'expired', 'review')),
      review_reason text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      settled_at timestamptz,
      polls integer not null default 0,
      next_poll_at timestamptz not null,
      unique (provider, reference),
      check ((promo_code_id is null) = (promo_state is null)),
      check ((status = 'review') = (review_reason is not null)),
      check ((status = 'pending') = (settled_at is null))
    );
    create index payment_intents_user on payment_intents (user_id, created_at);
    create index payment_intents_due on payment_intents (next_poll_at) where status = 'pending';

    create table promo_claims (
      intent_id uuid primary key references payment_intents (id),
      promo_code_id uuid not null references promo_codes (id),
      user_id uuid not null references users (id),
      bonus_cents bigint not null check (bonus_cents > 0),
      claimed_at timestamptz not null
    );
    create index promo_claims_code on promo_claims (promo_code_id, user_id);

    create table provider_events (
      id uuid primary key,
      provider text not null,
      -- The provider's id of the event: a repetition has the same.
      event_id text not null,
      type text not null,
      reference text,
      body text not null,
      received_at timestamptz not null,
      worked_at timestamptz,
      unique (provider, event_id)
    );
  `.execute(db);
}
