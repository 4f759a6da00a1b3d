import { sql, type Kysely } from "kysely";

/**
 * Finds unfinished work again: events that were never processed, and checkouts that were paid after
 * their intent expired. Finished events are no longer kept in full.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment_intents
      -- When the provider said that it takes no payment any more; until then an expired one counts.
      add column closed_at timestamptz,
      -- Null: not asked about any more.
      alter column next_poll_at drop not null;
    drop index payment_intents_due;
    create index payment_intents_due on payment_intents (next_poll_at)
      where status in ('pending', 'expired');

    alter table provider_events
      add column tries integer not null default 0,
      add column next_try_at timestamptz;
    update provider_events set next_try_at = received_at;
    alter table provider_events alter column next_try_at set not null;
    create index provider_events_unworked on provider_events (next_try_at)
      where worked_at is null;
    create index provider_events_bodies on provider_events (worked_at) where body <> '';
    create index sandbox_checkouts_expires_at on sandbox_checkouts (expires_at);
  `.execute(db);
}
