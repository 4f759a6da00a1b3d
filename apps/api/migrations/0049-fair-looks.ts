import { sql, type Kysely } from "kysely";

/** Records since when a claim is unproven, which user asked for a probe, and unused labels. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table shield_domains
      -- When it lost its proof; null: it never had one, and counts from its creation.
      add column unproven_since timestamptz;
    create index shield_domains_stale on shield_domains (coalesce(unproven_since, created_at))
      where verified_at is null and expired_at is null;

    create index cname_reservations_unused on cname_reservations (user_id, created_at)
      where shield_id is null;

    alter table probes
      -- No reference: a row lives for seconds, and its user may be deleted in that time.
      add column asker uuid,
      add column purpose text not null default 'wizard' check (purpose in ('wizard', 'doctor'));
  `.execute(db);
}
