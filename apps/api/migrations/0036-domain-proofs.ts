import { sql, type Kysely } from "kysely";

/** Proofs by DNS from before there was a shield, and when unproven domains are checked again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table domain_proofs (
      -- Normalised, as in shield_domains.
      domain text not null,
      cname_record text not null references cname_reservations (cname_record),
      user_id uuid not null references users (id),
      proven_at timestamptz not null,
      -- The claim that the same look found no longer proven; only that one may be taken over.
      supersedes uuid references shield_domains (id) on delete set null,
      primary key (domain, cname_record)
    );
    create index domain_proofs_user on domain_proofs (user_id);

    alter table shield_domains
      add column checks integer not null default 0,
      -- Null: at once.
      add column next_check_at timestamptz,
      -- An unproven claim that ran out: neither routed nor looked at again, until its owner asks.
      add column expired_at timestamptz,
      add check (verified_at is null or expired_at is null);
    create index shield_domains_unproven on shield_domains (next_check_at)
      where verified_at is null and expired_at is null;
  `.execute(db);
}
