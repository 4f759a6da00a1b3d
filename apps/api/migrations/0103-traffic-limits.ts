import { sql, type Kysely } from "kysely";

/** Notices and limits of the traffic of a month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table shields add column traffic_used_up boolean not null default false;

    create table traffic_months (
      shield_id uuid primary key references shields (id),
      -- The month (UTC) that the rest is about, as 2031-02.
      month text not null,
      -- Percent of the limit that the owner was told of.
      told integer not null check (told in (0, 80, 100)),
      -- When the whole limit was seen to be used.
      exceeded_at timestamptz
    );
  `.execute(db);
}
