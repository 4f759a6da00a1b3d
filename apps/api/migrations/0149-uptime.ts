import { sql, type Kysely } from "kysely";

/** How long each location, and the console with the API, worked on each day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The last minute that was counted: each is counted once, whichever process does it.
    create table uptime_clock (
      id boolean primary key default true check (id),
      counted_minute timestamptz
    );
    insert into uptime_clock default values;

    -- The rest of a day's minutes is unknown: the api was away and saw nothing.
    create table uptime_days (
      -- 'console', or 'location:' and the location's name.
      component text not null check (length(component) <= 80),
      day date not null,
      up_minutes smallint not null check (up_minutes >= 0),
      -- Those of the up minutes in which some edge of the location was silent.
      partial_minutes smallint not null check (partial_minutes between 0 and up_minutes),
      down_minutes smallint not null check (down_minutes >= 0),
      primary key (component, day),
      check (up_minutes + down_minutes <= 1440)
    );
  `.execute(db);
}
