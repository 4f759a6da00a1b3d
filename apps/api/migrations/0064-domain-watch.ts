import { sql, type Kysely } from "kysely";

/** Proven domains are looked at again, and their owners told what became of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table shield_domains
      -- Proven, but its records are not seen any more: still routed while no other shield has proven it.
      add column unseen_since timestamptz,
      -- What the owner is to be told by mail: lost to another, ended unproven, not seen any more.
      add column notice text check (notice in ('lost', 'ended', 'unseen')),
      add check (unseen_since is null or verified_at is not null);
    create index shield_domains_watched on shield_domains (next_check_at nulls first)
      where verified_at is not null and removed_at is null;
    -- Their first looks do not all come at once.
    update shield_domains set next_check_at = now() + random() * interval '1 day'
      where verified_at is not null;
    create index shield_domains_noticed on shield_domains (id) where notice is not null;
    create index shield_domains_removed on shield_domains (removed_at) where removed_at is not null;
    create index shield_domains_group on shield_domains (group_id) where group_id is not null;
  `.execute(db);
}
