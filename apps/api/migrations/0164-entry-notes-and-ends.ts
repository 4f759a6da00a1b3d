import { sql, type Kysely } from "kysely";

/**
 * Entries of firewall lists get a note, and an end after which they do nothing. Each statement only
 * changes the catalogue: the tables are live, and none of them is read or rewritten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table firewall_entries
      add column note text not null default '',
      -- Null: it has no end.
      add column expires_at timestamptz,
      -- Its end has passed and configurations leave it out; it is shown for a day.
      add column ended boolean not null default false;
    alter table firewall_names
      add column note text not null default '',
      add column expires_at timestamptz,
      add column ended boolean not null default false;
    -- When the next entry ends or is removed; null: no entry has an end.
    alter table shield_firewalls add column next_end_at timestamptz;
  `.execute(db);
}
