import { sql, type Kysely } from "kysely";

/**
 * Intents that no payer ordered: the charge of a saved card, and the checkout that a payer is sent
 * when the bank wants to see them. Refunds that staff ordered.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment_intents
      add column origin text not null default 'checkout'
        check (origin in ('checkout', 'saved_card', 'authentication')),
      -- What a charge is for: it is paid once, whatever is repeated.
      add column business_key text,
      -- The card that is charged, by the provider's names: a repeated order has to be the same.
      add column charged_customer text,
      add column charged_card text,
      add check ((origin = 'checkout') = (business_key is null)),
      add check ((origin = 'saved_card') = (charged_card is not null)),
      add check ((charged_customer is null) = (charged_card is null));
    create unique index payment_intents_charge on payment_intents (business_key)
      where status = 'pending';
    create index payment_intents_charges on payment_intents (business_key, created_at)
      where business_key is not null;

    create table payment_refunds (
      id uuid primary key,
      intent_id uuid not null references payment_intents (id),
      cents bigint not null check (cents > 0),
      -- Chosen by the caller: a repetition is the same refund.
      request_key text not null unique,
      reason text not null,
      status text not null check (status in ('requested', 'ordered', 'failed')),
      failure text,
      created_at timestamptz not null,
      tries integer not null default 0,
      next_try_at timestamptz not null,
      check ((status = 'failed') = (failure is not null))
    );
    create index payment_refunds_intent on payment_refunds (intent_id);
    create index payment_refunds_due on payment_refunds (next_try_at) where status = 'requested';
  `.execute(db);
}
