import { sql, type Kysely } from "kysely";

/** Datagrams of Bedrock in a second that belong to no player, where they were an attack. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table attacks add column datagrams_peak bigint not null default 0;
    alter table attack_parts add column datagrams_peak bigint not null default 0;
  `.execute(db);
}
