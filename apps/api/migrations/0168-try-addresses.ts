import { sql, type Kysely } from "kysely";

/** Names of shields at which every player is checked, for a day each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shield_try_addresses (
      shield_id uuid primary key references shields (id),
      -- Fully qualified, as the label of a shield.
      host text not null unique,
      challenge text not null check (challenge in ('level', 'gravity', 'captcha')),
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index shield_try_addresses_expiry on shield_try_addresses (expires_at);
  `.execute(db);
}
