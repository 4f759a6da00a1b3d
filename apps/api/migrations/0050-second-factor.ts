import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column two_factor_enabled_at timestamptz`.execute(db);

  // When the user of the session last proved their identity.
  await sql`alter table sessions add column authenticated_at timestamptz`.execute(db);
  await sql`update sessions set authenticated_at = created_at`.execute(db);
  await sql`alter table sessions alter column authenticated_at set not null`.execute(db);

  // The secret is encrypted, as are the backup codes for as long as they may be read.
  await sql`
    create table two_factor (
      user_id uuid primary key references users (id) on delete cascade,
      secret text not null,
      last_step bigint not null,
      codes_made_at timestamptz,
      sealed_codes text
    )
  `.execute(db);
  await sql`
    create table backup_codes (
      user_id uuid not null references two_factor (user_id) on delete cascade,
      code_hash text not null,
      primary key (user_id, code_hash)
    )
  `.execute(db);

  // Wrong codes of an account: of those who log in and of live sessions apart.
  await sql`
    create table two_factor_guesses (
      user_id uuid not null references users (id) on delete cascade,
      place text not null check (place in ('login', 'session')),
      short_guesses integer not null,
      short_ends_at timestamptz not null,
      day_guesses integer not null,
      day_ends_at timestamptz not null,
      primary key (user_id, place)
    )
  `.execute(db);

  await sql`
    create table password_resets (
      id uuid primary key,
      user_id uuid references users (id) on delete cascade,
      email_key text not null,
      code_hash text not null,
      tries integer not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      void_at timestamptz
    )
  `.execute(db);
  await sql`
    create index password_resets_email_key on password_resets (email_key, created_at)
  `.execute(db);
  await sql`create index password_resets_expires_at on password_resets (expires_at)`.execute(db);

  // Whether the cookie of a code was given to the browser that chose its password.
  await sql`
    alter table email_confirmations add column is_bound boolean not null default true
  `.execute(db);
}
