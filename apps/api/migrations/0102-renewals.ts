import { sql, type Kysely } from "kysely";

/** Renewals of subscriptions, support plans, changes of a plan and automatic top-ups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscriptions
      -- Null: a day before the end, as for rows of an api of the version before.
      add column next_renewal_at timestamptz,
      -- Tries to charge the next period that have failed.
      add column failed_renewals integer not null default 0,
      -- The last mail about the end of this period.
      add column told text check (told in ('low', 'ending', 'failed', 'grace', 'last_day')),
      -- The plan of the next period, where it is another.
      add column planned_plan_id uuid references pricing_plans (id),
      add column planned_price_cents bigint;
    create index subscriptions_renewal on subscriptions (next_renewal_at);
    create index subscriptions_end on subscriptions (period_ends_at);

    -- The operator's reason, as the owner reads it.
    alter table shields add column blocked_reason text;

    create table support_subscriptions (
      user_id uuid primary key references users (id),
      support_plan_id uuid not null references support_plans (id),
      price_cents bigint not null check (price_cents > 0),
      anchor_at timestamptz not null,
      period integer not null check (period >= 1),
      period_starts_at timestamptz not null,
      period_ends_at timestamptz not null,
      next_renewal_at timestamptz not null,
      failed_renewals integer not null default 0,
      told text check (told in ('low', 'failed')),
      planned_plan_id uuid references support_plans (id),
      planned_price_cents bigint,
      created_at timestamptz not null,
      check (period_ends_at > period_starts_at)
    );
    create index support_subscriptions_renewal on support_subscriptions (next_renewal_at);

    -- The price of a change, held for some minutes. Without a shield it is of the support plan.
    create table plan_change_quotes (
      id uuid primary key,
      user_id uuid not null references users (id),
      shield_id uuid references shields (id) on delete cascade,
      plan_id uuid not null,
      cents bigint not null check (cents >= 0),
      -- What the quote was made from: another period or price makes it void.
      price_cents bigint not null,
      from_plan_id uuid,
      period_ends_at timestamptz,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index plan_change_quotes_user on plan_change_quotes (user_id);
    create index plan_change_quotes_shield on plan_change_quotes (shield_id);
    create index plan_change_quotes_expiry on plan_change_quotes (expires_at);

    create table automatic_top_ups (
      user_id uuid primary key references users (id),
      enabled boolean not null,
      threshold_cents bigint not null check (threshold_cents > 0),
      amount_cents bigint not null check (amount_cents > 0),
      -- Counts charges: the key of the next one.
      charges integer not null default 0,
      -- In a row.
      failures integer not null default 0,
      next_try_at timestamptz not null,
      updated_at timestamptz not null
    );
  `.execute(db);
}
