import { sql, type Kysely } from "kysely";

/** Incidents and maintenances of the status page, and who is told about them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table status_incidents (
      id uuid primary key,
      kind text not null check (kind in ('incident', 'maintenance')),
      impact text not null check (impact in ('none', 'minor', 'major')),
      state text not null check (state in ('investigating', 'identified', 'monitoring', 'resolved',
        'scheduled', 'in_progress', 'completed', 'cancelled')),
      title_en text not null check (length(title_en) between 1 and 120),
      title_ru text not null check (length(title_ru) between 1 and 120),
      locations text[] not null check (cardinality(locations) <= 100),
      affects_console boolean not null,
      starts_at timestamptz not null,
      ends_at timestamptz,
      ended_at timestamptz,
      -- When subscribers were reminded of a maintenance.
      reminded_at timestamptz,
      created_at timestamptz not null
    );
    create index status_incidents_open on status_incidents (starts_at) where ended_at is null;
    create index status_incidents_by_end on status_incidents (ended_at) where ended_at is not null;

    create table status_updates (
      id uuid primary key,
      incident_id uuid not null references status_incidents (id),
      position integer not null,
      state text not null,
      text_en text not null check (length(text_en) between 1 and 2000),
      text_ru text not null check (length(text_ru) between 1 and 2000),
      created_at timestamptz not null,
      -- When it was handed over to the mails and webhooks of the subscribers.
      announced_at timestamptz,
      unique (incident_id, position)
    );

    create table status_subscribers (
      id uuid primary key,
      kind text not null check (kind in ('mail', 'webhook')),
      -- A keyed hash of the address, which finds it.
      address_key text not null,
      sealed_address text not null,
      sealed_secret text,
      host text check (length(host) <= 253),
      locale text not null check (locale in ('en', 'ru')),
      confirmed_at timestamptz,
      -- A webhook that has taken nothing since then.
      failing_since timestamptz,
      created_at timestamptz not null,
      unique (kind, address_key)
    );
    create index status_subscribers_unconfirmed on status_subscribers (created_at) where confirmed_at is null;
    create index status_subscribers_of_host on status_subscribers (host) where host is not null;
  `.execute(db);
}
