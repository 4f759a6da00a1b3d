import { sql, type Kysely } from "kysely";

/** Notifications: to owners about their shields, by mail and by webhooks, and to staff about edges. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Without a row a shield has the defaults.
    create table shield_notifications (
      shield_id uuid primary key references shields (id),
      email_notifications boolean not null default true,
      webhook_notifications boolean not null default true,
      attack_started_msg text not null default '' check (length(attack_started_msg) <= 500),
      attack_stopped_msg text not null default '' check (length(attack_stopped_msg) <= 500),
      mail_events text[] not null,
      digest text not null default 'off' check (digest in ('off', 'hourly', 'daily')),
      -- Minutes since midnight in the time zone.
      quiet_from smallint check (quiet_from between 0 and 1439),
      quiet_until smallint check (quiet_until between 0 and 1439),
      time_zone text not null default 'UTC' check (length(time_zone) <= 64),
      version integer not null default 1,
      check ((quiet_from is null) = (quiet_until is null))
    );

    create table shield_webhooks (
      id uuid primary key,
      shield_id uuid not null references shields (id),
      format text not null check (format in ('json', 'discord', 'slack', 'telegram')),
      -- The address is a secret as a whole; its host is not.
      sealed_url text not null,
      host text not null check (length(host) <= 255),
      hint text not null,
      -- Null for chats, which check no signature.
      sealed_secret text,
      sealed_former_secret text,
      former_secret_until timestamptz,
      events text[] not null,
      enabled boolean not null default true,
      disabled_reason text check (disabled_reason in ('owner', 'failing', 'gone')),
      failing_since timestamptz,
      created_at timestamptz not null,
      check ((sealed_former_secret is null) = (former_secret_until is null)),
      check (enabled = (disabled_reason is null))
    );
    create index shield_webhooks_shield on shield_webhooks (shield_id);

    -- What has happened; written in the transaction in which it happens.
    create table notification_events (
      id uuid primary key,
      seq bigint not null generated always as identity,
      shield_id uuid not null references shields (id),
      kind text not null,
      -- Events of one attack share it.
      thread uuid,
      at timestamptz not null,
      data jsonb not null,
      created_at timestamptz not null default clock_timestamp(),
      -- Deliveries were made of it, and the time of its mail was set.
      spread_at timestamptz,
      mail_due_at timestamptz,
      mailed_at timestamptz
    );
    create index notification_events_new on notification_events (seq) where spread_at is null;
    create index notification_events_mail on notification_events (mail_due_at)
      where mail_due_at is not null and mailed_at is null;
    create index notification_events_shield on notification_events (shield_id, created_at);

    create table webhook_deliveries (
      id uuid primary key,
      seq bigint not null generated always as identity,
      webhook_id uuid not null references shield_webhooks (id) on delete cascade,
      kind text not null,
      thread uuid,
      body text not null,
      state text not null default 'pending'
        check (state in ('pending', 'delivered', 'failed', 'superseded')),
      attempts integer not null default 0,
      next_at timestamptz,
      -- Until then the process that sends it has it to itself.
      leased_until timestamptz,
      created_at timestamptz not null,
      last_at timestamptz,
      status integer,
      answer text not null default '',
      error text check (error in ('timeout', 'refused_address', 'network', 'unreadable')),
      latency_ms integer,
      -- The chat's id of the message, by which it can be edited.
      message_ref text,
      check ((state = 'pending') = (next_at is not null))
    );
    create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at, id);
    create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'pending';
    create index webhook_deliveries_thread on webhook_deliveries (webhook_id, thread)
      where thread is not null;

    -- How a backend is, in the words of all edges that check it; changed once that has lasted.
    create table backend_watches (
      backend_id uuid primary key references backends (id) on delete cascade,
      is_down boolean not null,
      -- Since when the edges say otherwise; null while they agree.
      differs_since timestamptz,
      changed_at timestamptz not null
    );

    create table edge_watches (
      edge_id uuid primary key references edges (id) on delete cascade,
      is_lost boolean not null,
      missed_at timestamptz,
      changed_at timestamptz not null
    );
  `.execute(db);
}
