import { sql, type Kysely } from "kysely";

/** Changes of shields with what was before and after, and the settings that the next one is compared with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shield_settings (
      shield_id uuid not null references shields (id),
      area text not null,
      -- Of the settings: most changes leave most areas alone.
      digest text not null,
      settings text not null,
      primary key (shield_id, area)
    );

    create table shield_changes (
      -- The order of a shield's changes, whatever the clocks of the machines say.
      position bigint generated always as identity primary key,
      id uuid not null unique,
      shield_id uuid not null references shields (id),
      area text not null,
      revision integer,
      author_kind text not null,
      author_id uuid,
      -- Of the API key, which may be deleted later.
      key_name text,
      changes text not null,
      created_at timestamptz not null
    );
    create index shield_changes_shield on shield_changes (shield_id, position desc);
    create index shield_changes_created_at on shield_changes (created_at);
  `.execute(db);
}
