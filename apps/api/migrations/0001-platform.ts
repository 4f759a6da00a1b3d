import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rate_limits (
      key text primary key,
      hits integer not null,
      expires_at timestamptz not null
    )
  `.execute(db);
  await sql`create index rate_limits_expires_at on rate_limits (expires_at)`.execute(db);

  await sql`
    create table idempotency_keys (
      actor text not null,
      key text not null,
      route text not null,
      request_hash text not null,
      status integer not null,
      answer jsonb not null,
      created_at timestamptz not null,
      primary key (actor, key, route)
    )
  `.execute(db);
  await sql`create index idempotency_keys_created_at on idempotency_keys (created_at)`.execute(db);

  await sql`
    create table development_clock (
      id integer primary key check (id = 1),
      offset_ms bigint not null
    )
  `.execute(db);
  await sql`insert into development_clock (id, offset_ms) values (1, 0)`.execute(db);

  await sql`
    create table development_mails (
      id uuid primary key,
      recipient text not null,
      subject text not null,
      text_body text not null,
      html_body text not null,
      created_at timestamptz not null
    )
  `.execute(db);
}
