import { sql, type Kysely } from "kysely";

/** The paid period of a shield. A shield on a free plan has none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subscriptions (
      shield_id uuid primary key references shields (id),
      pricing_plan_id uuid not null references pricing_plans (id),
      -- Of one period, as it was bought: later changes of the plan's price are not in it.
      price_cents bigint not null check (price_cents > 0),
      -- Period n ends n months after the anchor, so that a short month does not shift the day.
      anchor_at timestamptz not null,
      period integer not null check (period >= 1),
      period_starts_at timestamptz not null,
      period_ends_at timestamptz not null,
      created_at timestamptz not null,
      check (period_ends_at > period_starts_at)
    );

    -- The subscription says until when.
    alter table shields drop column expires_at;
  `.execute(db);
}
