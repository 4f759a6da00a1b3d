import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table profiles (
      user_id uuid primary key references users (id) on delete cascade,
      username text,
      username_key text unique,
      first_name text,
      last_name text,
      address_line_1 text,
      address_line_2 text,
      zip_code text,
      city text,
      country text,
      company_name text,
      vat_id text,
      email_notifications boolean not null default true,
      sealed_webhook text,
      webhook_hint text
    )
  `.execute(db);

  // One waiting change per account: the newest replaces the one before it.
  await sql`
    create table email_changes (
      user_id uuid primary key references users (id) on delete cascade,
      email text not null,
      token_hash text not null unique,
      is_usable boolean not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )
  `.execute(db);

  // A revoked key stays for its name: the record of what it did should go on saying it.
  await sql`
    alter table api_keys
      add column is_profile boolean not null default false,
      add column sealed text,
      add column hint text not null default '',
      add column revoked_at timestamptz,
      add column expiry_told_at timestamptz
  `.execute(db);
  await sql`
    create unique index api_keys_profile on api_keys (user_id)
      where is_profile and revoked_at is null
  `.execute(db);

  await sql`alter table users add column deleted_at timestamptz`.execute(db);
}
