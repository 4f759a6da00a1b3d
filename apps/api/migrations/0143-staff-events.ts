import { sql, type Kysely } from "kysely";

/** Staff get a webhook of their own, and are told about the certificate of the installation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Null: the operator's webhook, for events of the installation. An api of the version before joins
    -- the shields, and so leaves its messages to this one.
    alter table shield_webhooks alter column shield_id drop not null;

    -- What staff were told of the certificate; changed once the processes have seen something else for a while.
    create table certificate_watches (
      domain text primary key check (length(domain) <= 253),
      told text not null check (told in ('valid', 'failing', 'expiring')),
      seen text not null check (seen in ('valid', 'failing', 'expiring')),
      seen_since timestamptz not null
    );
  `.execute(db);
}
