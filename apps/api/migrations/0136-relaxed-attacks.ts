import { sql, type Kysely } from "kysely";

/** A relaxed level is an event of the attack, once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table attack_events drop constraint attack_events_kind_check;
    alter table attack_events add constraint attack_events_kind_check
      check (kind in ('started', 'relaxed', 'stopped')) not valid;
    alter table attack_events validate constraint attack_events_kind_check;
  `.execute(db);
}
