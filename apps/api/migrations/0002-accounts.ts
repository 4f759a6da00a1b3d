import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      email text not null,
      email_key text not null unique,
      password_hash text not null,
      role text not null default 'customer' check (role in ('customer', 'staff')),
      locale text not null default 'en' check (locale in ('en', 'ru')),
      email_verified_at timestamptz,
      privacy_accepted_at timestamptz not null,
      privacy_version text not null,
      created_at timestamptz not null
    )
  `.execute(db);

  await sql`
    create table sessions (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      token_hash text not null unique,
      device text not null,
      ip text not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null
    )
  `.execute(db);
  await sql`create index sessions_user_id on sessions (user_id)`.execute(db);
  await sql`create index sessions_expires_at on sessions (expires_at)`.execute(db);

  await sql`
    create table api_keys (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      name text not null,
      token_hash text not null unique,
      scope text not null check (scope in ('read', 'write')),
      created_at timestamptz not null,
      last_used_at timestamptz,
      expires_at timestamptz
    )
  `.execute(db);
  await sql`create index api_keys_user_id on api_keys (user_id)`.execute(db);

  await sql`
    create table email_confirmations (
      id uuid primary key,
      user_id uuid references users (id) on delete cascade,
      email_key text not null,
      cookie_hash text not null unique,
      code_hash text not null,
      password_hash text not null,
      tries integer not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      void_at timestamptz
    )
  `.execute(db);
  await sql`
    create index email_confirmations_email_key on email_confirmations (email_key, created_at)
  `.execute(db);
}
