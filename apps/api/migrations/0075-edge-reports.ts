import { sql, type Kysely } from "kysely";

/** Edges report backends that expect PROXY protocol, and whether they have VPN lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table backend_health add column expects_proxy boolean not null default false;
    alter table edges add column vpn_lists boolean;
  `.execute(db);
}
