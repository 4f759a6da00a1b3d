import { sql, type Kysely } from "kysely";

/** Tickets with their messages and files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tickets (
      id uuid primary key,
      number bigint generated always as identity (start with 1001) unique,
      user_id uuid not null references users (id),
      shield_id uuid references shields (id),
      category text not null check (category in ('billing', 'technical', 'sales')),
      severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
      subject text not null check (length(subject) between 1 and 150),
      status text not null
        check (status in ('open', 'in_progress', 'waiting_customer', 'resolved', 'closed')),
      assignee_id uuid references users (id),
      -- Settings and doctor report of the shield when the ticket was opened.
      snapshot jsonb,
      snoozed_until timestamptz,
      merged_into uuid references tickets (id),
      -- When staff answered first; null until then.
      answered_at timestamptz,
      closed_at timestamptz,
      satisfaction_score smallint check (satisfaction_score between 1 and 5),
      satisfaction_comment text check (length(satisfaction_comment) <= 1000),
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index tickets_of_user on tickets (user_id, updated_at desc, id desc);
    create index tickets_open on tickets (updated_at) where status <> 'closed';
    create index tickets_of_assignee on tickets (assignee_id) where status <> 'closed';
    create index tickets_of_shield on tickets (shield_id) where shield_id is not null;

    create table ticket_messages (
      id uuid primary key,
      ticket_id uuid not null references tickets (id),
      -- Counts up within the ticket: the order of its messages.
      position integer not null,
      author_id uuid references users (id),
      is_admin boolean not null,
      -- Internal notes are for staff alone.
      is_internal boolean not null default false,
      body text not null check (length(body) <= 10000),
      source text not null check (source in ('console', 'mail')),
      created_at timestamptz not null,
      unique (ticket_id, position)
    );
    create index ticket_messages_of_author on ticket_messages (author_id);

    create table ticket_attachments (
      id uuid primary key,
      ticket_id uuid not null references tickets (id),
      message_id uuid not null references ticket_messages (id),
      -- The account whose quota it counts in.
      user_id uuid not null references users (id),
      original_name text not null check (length(original_name) <= 255),
      type text not null,
      size_bytes integer not null,
      -- Where it is in the file store.
      storage_key text not null unique,
      position smallint not null,
      created_at timestamptz not null
    );
    create index ticket_attachments_of_ticket on ticket_attachments (ticket_id);
    create index ticket_attachments_of_message on ticket_attachments (message_id);
    create index ticket_attachments_of_user on ticket_attachments (user_id);
  `.execute(db);
}
