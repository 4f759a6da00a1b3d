import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id uuid primary key,
      chain text not null,
      seq bigint not null,
      previous_hash text not null,
      hash text not null,
      actor_kind text not null,
      actor_id uuid,
      credential text,
      method text not null,
      endpoint text not null,
      full_url text not null,
      response_status integer not null,
      ip text not null,
      request_id text not null,
      created_at timestamptz not null,
      unique (chain, seq)
    )
  `.execute(db);
  await sql`create index audit_log_chain_created_at on audit_log (chain, created_at)`.execute(db);

  await sql`
    create table audit_heads (
      chain text primary key,
      seq bigint not null,
      hash text not null
    )
  `.execute(db);

  // No foreign key: a duration may not hold an audit row's insert back, nor be held back by it.
  await sql`
    create table audit_durations (
      audit_id uuid primary key,
      duration_ms integer not null
    )
  `.execute(db);
}
