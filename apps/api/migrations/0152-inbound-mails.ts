import { sql, type Kysely } from "kysely";

/** Mails that customers sent to the reply address of a ticket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Answers to a mail of the development mailbox go there.
    alter table development_mails add column reply_to text;

    create table inbound_mails (
      id uuid primary key,
      -- Hash of receiver and Message-ID: a mail that is delivered twice is kept once.
      delivery_key text not null unique,
      via text not null check (via in ('smtp', 'imap', 'development')),
      recipient text not null check (length(recipient) <= 320),
      -- The sender in the envelope; empty for bounces.
      sender text not null check (length(sender) <= 320),
      -- The sender in the headers; null until they are read.
      from_address text check (length(from_address) <= 320),
      subject text check (length(subject) <= 500),
      -- The customer's Message-ID, which answers refer to.
      mail_id text check (length(mail_id) <= 500),
      -- The mail as it came; null once it is not needed any more.
      source bytea,
      size_bytes integer not null,
      status text not null
        check (status in ('received', 'added', 'refused', 'ignored', 'quarantined')),
      -- Why it was not added.
      reason text check (length(reason) <= 40),
      ticket_id uuid references tickets (id) on delete cascade,
      message_id uuid,
      -- Whether the customer was told by mail what became of it.
      was_answered boolean not null default false,
      received_at timestamptz not null,
      processed_at timestamptz
    );
    create index inbound_mails_of_ticket on inbound_mails (ticket_id, received_at)
      where ticket_id is not null;
    create index inbound_mails_of_recipient on inbound_mails (recipient, received_at);
    create index inbound_mails_quarantined on inbound_mails (received_at desc)
      where status = 'quarantined';
  `.execute(db);
}
