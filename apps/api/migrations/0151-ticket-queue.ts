import { sql, type Kysely } from "kysely";

/** The queue of tickets: targets of answers, tags, canned replies and who reads which ticket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table tickets
      -- The oldest message of the customer that staff have not answered.
      add column waiting_since timestamptz,
      -- When staff should have answered; null while it is not their turn.
      add column due_at timestamptz,
      -- Staff were told that it is overdue.
      add column escalated_at timestamptz,
      -- Staff were told that it is critical.
      add column critical_told_at timestamptz,
      add column tags text[] not null default '{}';
    create index tickets_due on tickets (due_at) where due_at is not null;
    create index tickets_answered on tickets (answered_at) where answered_at is not null;

    create table support_targets (
      support_plan_id uuid not null references support_plans (id) on delete cascade,
      severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
      response_minutes integer not null check (response_minutes between 1 and 100000),
      -- Whether the minutes count in the hours of support, or day and night.
      hours text not null check (hours in ('business', 'always')),
      primary key (support_plan_id, severity)
    );

    -- One row: the hours of support.
    create table support_hours (
      id boolean primary key default true check (id),
      time_zone text not null,
      -- 1 is Monday.
      days smallint[] not null check (cardinality(days) > 0 and days <@ '{1,2,3,4,5,6,7}'),
      -- Minutes of the day.
      opens_at smallint not null check (opens_at between 0 and 1439),
      closes_at smallint not null check (closes_at > opens_at and closes_at <= 1440)
    );
    insert into support_hours (time_zone, days, opens_at, closes_at)
      values ('Europe/Berlin', '{1,2,3,4,5}', 540, 1080);

    create table canned_replies (
      id uuid primary key,
      title text not null check (length(title) between 1 and 80),
      body_en text not null check (length(body_en) between 1 and 10000),
      body_ru text not null default '' check (length(body_ru) <= 10000),
      created_at timestamptz not null,
      updated_at timestamptz not null
    );

    -- Worth nothing after a crash of the database.
    create unlogged table ticket_readers (
      ticket_id uuid not null references tickets (id) on delete cascade,
      staff_id uuid not null references users (id) on delete cascade,
      is_typing boolean not null,
      seen_at timestamptz not null,
      primary key (ticket_id, staff_id)
    );
  `.execute(db);
}
