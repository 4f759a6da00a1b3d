import { sql, type Kysely } from "kysely";

/**
 * Orders of staff about money, payments that do not match their intents, the daily comparison with
 * each provider's own list, and freezes of purchases.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table staff_orders (
      id uuid primary key,
      kind text not null check (kind in ('adjust', 'reverse', 'refund', 'quarantine')),
      -- Whose money it is about; null if a txn moves nothing of a user.
      user_id uuid references users (id),
      details jsonb not null,
      cents bigint not null check (cents >= 0),
      reason text not null,
      -- Chosen by the caller: a repetition is the same order.
      request_key text not null unique,
      ordered_by uuid not null references users (id),
      ordered_at timestamptz not null,
      status text not null check (status in ('waiting', 'done', 'rejected')),
      -- Null while it waits, and where no second person was needed.
      decided_by uuid references users (id),
      decided_at timestamptz,
      decision_reason text,
      check ((status = 'waiting') = (decided_at is null)),
      check (status <> 'done' or decided_by is null or decided_by <> ordered_by)
    );
    create index staff_orders_waiting on staff_orders (ordered_at) where status = 'waiting';

    create table quarantined_payments (
      id uuid primary key,
      provider text not null,
      reference text not null,
      -- Null for a payment that no intent knows.
      intent_id uuid references payment_intents (id),
      user_id uuid references users (id),
      reason text not null,
      -- By the provider's own record.
      amount_cents bigint not null,
      currency text not null,
      account text not null,
      found_at timestamptz not null,
      status text not null default 'open'
        check (status in ('open', 'credited', 'returned', 'dismissed')),
      resolved_by uuid references users (id),
      resolved_at timestamptz,
      resolution_reason text,
      unique (provider, reference),
      check ((status = 'open') = (resolved_at is null)),
      check ((resolved_at is null) = (resolution_reason is null))
    );
    create index quarantined_payments_open on quarantined_payments (found_at)
      where status = 'open';

    insert into quarantined_payments
      (id, provider, reference, intent_id, user_id, reason, amount_cents, currency, account, found_at)
    select gen_random_uuid(), provider, reference, id, user_id, review_reason, amount_cents, currency,
      provider_account, settled_at
    from payment_intents where status = 'review' and reference is not null;

    -- When staff resolved its case: from then on no record of the provider changes it.
    alter table payment_intents add column resolved_at timestamptz;

    create table provider_days (
      provider text not null,
      day date not null,
      provider_cents bigint not null,
      ledger_cents bigint not null,
      -- What one side has and the other has not, one sentence each.
      differences jsonb not null,
      checked_at timestamptz not null,
      primary key (provider, day)
    );

    create table purchase_freezes (
      id uuid primary key,
      reason text not null,
      -- Null: the nightly check.
      frozen_by uuid references users (id),
      frozen_at timestamptz not null,
      lifted_by uuid references users (id),
      lifted_at timestamptz,
      lift_reason text,
      check ((lifted_at is null) = (lift_reason is null))
    );
    -- One at a time: a second reason changes nothing.
    create unique index purchase_freezes_active on purchase_freezes ((lifted_at is null))
      where lifted_at is null;
  `.execute(db);
}
