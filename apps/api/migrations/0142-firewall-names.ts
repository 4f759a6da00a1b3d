import { sql, type Kysely } from "kysely";

/**
 * Names of players on the lists of firewalls. Apart from the addresses: an api of the version before
 * reads those, and would compile a name into a list that no edge takes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table firewall_names (
      id uuid primary key,
      shield_id uuid not null references shields (id),
      list text not null check (list in ('blacklist', 'whitelist')),
      -- As it was typed; compared without case.
      name text not null check (name ~ '^[A-Za-z0-9_]{1,16}$'),
      created_at timestamptz not null
    );
    create unique index firewall_names_list on firewall_names (shield_id, list, lower(name));
  `.execute(db);
}
