import { sql, type Kysely } from "kysely";

/** The version of the program that runs on an edge or a DNS server, as it says it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edges add column program_version text check (length(program_version) <= 64)
  `.execute(db);
}
