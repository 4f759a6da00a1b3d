import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      name text not null check (length(name) between 1 and 50),
      -- The authenticator's own name for it, base64url.
      credential_id text not null unique check (length(credential_id) <= 1400),
      -- COSE.
      public_key bytea not null check (octet_length(public_key) <= 4096),
      -- Uses, as the authenticator counts them; 0 for ever where it does not count.
      counter bigint not null,
      transports text[] not null,
      is_synced boolean not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    );
    create index passkeys_user on passkeys (user_id);

    -- Challenges that no passkey has answered yet; an answer deletes its own.
    create table passkey_challenges (
      challenge_hash text primary key,
      purpose text not null check (purpose in ('add', 'login', 'step-up')),
      -- Null for a login: the caller is not known yet.
      session_id uuid references sessions (id) on delete cascade,
      expires_at timestamptz not null,
      check ((purpose = 'login') = (session_id is null))
    );
    create index passkey_challenges_session on passkey_challenges (session_id);
    create index passkey_challenges_expires on passkey_challenges (expires_at);
  `.execute(db);
}
