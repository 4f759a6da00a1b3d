import { sql, type Kysely } from "kysely";

/** Rules of a shield for the players of a country or of a network. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table firewall_network_rules (
      id uuid primary key,
      shield_id uuid not null references shields (id),
      -- ISO 3166-1 alpha-2; null for a rule of a network.
      country text check (country ~ '^[A-Z]{2}$'),
      -- Number of the autonomous system; null for a rule of a country.
      asn bigint check (asn between 0 and 4294967295),
      action text not null check (action in ('allow', 'block', 'challenge')),
      note text not null default '' check (char_length(note) <= 200),
      created_at timestamptz not null,
      -- From then on edges ignore the rule; null: it has no end.
      expires_at timestamptz,
      check ((country is null) <> (asn is null)),
      constraint firewall_network_rules_subject unique nulls not distinct (shield_id, country, asn)
    );
    create index firewall_network_rules_ended on firewall_network_rules (expires_at)
      where expires_at is not null;
  `.execute(db);
}
