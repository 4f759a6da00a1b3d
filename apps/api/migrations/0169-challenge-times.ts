import { sql, type Kysely } from "kysely";

/** How long players took to pass the checks of shields, by day, kept for a week. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table challenge_times (
      shield_id uuid not null,
      day date not null,
      -- In the key, so that reports of two edges never wait for each other.
      edge_id uuid not null,
      challenge text not null,
      -- -1: all others together.
      protocol integer not null,
      -- By how long it took, in the ranges of the contract.
      passed bigint[] not null,
      failed bigint not null,
      primary key (shield_id, day, edge_id, challenge, protocol)
    );
    create index challenge_times_day on challenge_times (day);
  `.execute(db);
}
