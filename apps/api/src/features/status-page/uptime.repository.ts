import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { isRecent } from "#src/features/liveness/liveness.service.ts";

/** The component of the console and the API; those of locations begin with `locationPrefix`. */
export const consoleComponent = "console";
export const locationPrefix = "location:";

/**
 * Takes the minute, so that nothing else counts it.
 *
 * @returns the minute counted before, null where there was none; undefined where this one, or a later
 * one, has been counted
 */
export async function takeMinute(trx: Trx, minute: Date): Promise<Date | null | undefined> {
  const clock = await trx
    .selectFrom("uptime_clock")
    .select("counted_minute")
    .forUpdate()
    .executeTakeFirstOrThrow();
  const before = clock.counted_minute;
  if (before !== null && before >= minute) return undefined;
  await trx.updateTable("uptime_clock").set({ counted_minute: minute }).execute();
  return before;
}

/** Counts one minute of the day for each location with an edge, by what its edges are now. */
export async function countLocations(trx: Trx, day: string): Promise<void> {
  await sql`
    insert into uptime_days as counted (component, day, up_minutes, partial_minutes, down_minutes)
    select ${locationPrefix} || location, ${day}::date,
      (online > 0)::int, (online > 0 and online < wanted)::int, (online = 0)::int
    from (${edgesByLocation()}) as edges
    on conflict (component, day) do update set
      up_minutes = counted.up_minutes + excluded.up_minutes,
      partial_minutes = counted.partial_minutes + excluded.partial_minutes,
      down_minutes = counted.down_minutes + excluded.down_minutes
  `.execute(trx);
}

/** A drained edge takes no players, and is not missed beside others. */
function edgesByLocation() {
  return sql<LocationEdges>`
    select location, count(*) filter (where not drained)::int as wanted,
      count(*) filter (where not drained and ${isRecent("last_seen_at")})::int as online
    from edges
    where kind = 'edge' and revoked_at is null and enrolled_at is not null
    group by location
  `;
}

interface LocationEdges {
  readonly location: string;
  readonly wanted: number;
  readonly online: number;
}

export async function selectLocationEdges(db: Executor): Promise<LocationEdges[]> {
  const { rows } = await edgesByLocation().execute(db);
  return rows;
}

/** Counts the minutes from the first to before the end for the console, each on its day. */
export async function countConsole(
  trx: Trx,
  counted: { readonly from: Date; readonly end: Date; readonly isUp: boolean },
): Promise<void> {
  const { from, end, isUp } = counted;
  await sql`
    insert into uptime_days as counted (component, day, up_minutes, partial_minutes, down_minutes)
    select ${consoleComponent}, (minute at time zone 'UTC')::date,
      ${isUp ? sql`count(*)` : sql`0`}, 0, ${isUp ? sql`0` : sql`count(*)`}
    from generate_series(${from}::timestamptz, ${end}::timestamptz - interval '1 minute', '1 minute') minute
    group by 2
    on conflict (component, day) do update set
      up_minutes = counted.up_minutes + excluded.up_minutes,
      down_minutes = counted.down_minutes + excluded.down_minutes
  `.execute(trx);
}

export async function deleteUptimeBefore(trx: Trx, day: string): Promise<void> {
  await sql`delete from uptime_days where day < ${day}::date`.execute(trx);
}

/** Counted days since the given one, the oldest first. */
export async function selectUptime(db: Executor, since: string) {
  const { rows } = await sql<{
    component: string;
    day: string;
    up: number;
    partial: number;
    down: number;
  }>`
    select component, to_char(day, 'YYYY-MM-DD') as day, up_minutes as up,
      partial_minutes as partial, down_minutes as down
    from uptime_days where day >= ${since}::date order by component, day
  `.execute(db);
  return rows;
}
