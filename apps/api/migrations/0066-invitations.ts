import { sql, type Kysely } from "kysely";

/** Invitations to share a shield, and the members that its owner sees. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shield_invitations (
      -- The membership gets the same id: removing by it works before and after the acceptance.
      id uuid primary key,
      shield_id uuid not null references shields (id),
      kind text not null check (kind in ('email', 'username')),
      -- As the owner typed it, and as it is compared.
      typed text not null,
      typed_key text not null,
      -- Whose it was when it was sent; of a username, the only account that may accept.
      user_id uuid references users (id) on delete set null,
      token_hash text not null unique,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      -- The newest replaces the one before it, whose link is void from then on.
      unique (shield_id, typed_key)
    );
    create index shield_invitations_user on shield_invitations (user_id);
    create index shield_invitations_expires on shield_invitations (expires_at);

    alter table shield_members
      add column id uuid not null default gen_random_uuid() unique,
      add column last_activity_at timestamptz,
      -- Of the invitation that was accepted: accepting it again is no error.
      add column token_hash text unique;
  `.execute(db);
}
