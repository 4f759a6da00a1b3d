import { sql, type Kysely } from "kysely";

/** Edges report the icon in each backend's status: the card of a shield shows it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backend_favicons (
      backend_id uuid primary key references backends (id) on delete cascade,
      -- PNG, 64 x 64; null once the backend's status has none.
      png bytea check (octet_length(png) <= 16384),
      -- Another one for every icon.
      fingerprint text check (length(fingerprint) <= 32),
      changed_at timestamptz not null,
      check ((png is null) = (fingerprint is null))
    );
  `.execute(db);
}
