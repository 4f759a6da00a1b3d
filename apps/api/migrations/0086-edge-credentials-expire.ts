import { sql, type Kysely } from "kysely";

/** Credentials of edges and zone DNS expire and are renewed. The ones in use get the time of a new one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edges
      add column credential_expires_at timestamptz,
      -- Given out by a renewal; takes the place of the other one at its first use.
      add column next_credential_hash text,
      add column next_credential_expires_at timestamptz;
  `.execute(db);
  await sql`
    create unique index edges_next_credential on edges (next_credential_hash)
      where next_credential_hash is not null
  `.execute(db);
  await sql`
    update edges set credential_expires_at = now() + interval '90 days'
    where credential_hash is not null
  `.execute(db);
}
