import type { TelemetryReport } from "@palisade/contract/edge/telemetry";
import { sql, type Insertable } from "kysely";
import type { Db } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

/** The parts of a report that tells nothing. */
export const emptyReport = {
  minutes: [],
  live: [],
  backends: [],
  favicons: [],
  attacks: [],
  logins: [],
} satisfies Partial<TelemetryReport>;

type HourRow = Partial<Insertable<Database["telemetry_hours"]>> & {
  readonly shield_id: string;
  readonly start: Date;
};

/** Counters of whole hours as rolled up, whatever time the test's clock has. */
export async function insertHours(db: Db, rows: readonly HourRow[]): Promise<void> {
  await makeMonths(db, rows);
  const days = new Map<string, HourRow[]>();
  for (const row of rows) {
    const start = new Date(Math.floor(row.start.getTime() / 86_400_000) * 86_400_000);
    const key = `${row.shield_id} ${start.toISOString()}`;
    days.set(key, [...(days.get(key) ?? []), { ...row, start }]);
  }
  await db
    .insertInto("telemetry_hours")
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(["shield_id", "start"]).doUpdateSet((eb) => ({
        bytes_up: eb.ref("excluded.bytes_up"),
        bytes_down: eb.ref("excluded.bytes_down"),
      })),
    )
    .execute();
  await sql`
    insert into telemetry_days (shield_id, start, bytes_up, bytes_down)
    select shield_id, date_trunc('day', start, 'UTC'), sum(bytes_up), sum(bytes_down)
    from telemetry_hours where shield_id = any(${rows.map(({ shield_id }) => shield_id)}::uuid[])
    group by 1, 2
    on conflict (shield_id, start) do update set bytes_up = excluded.bytes_up,
      bytes_down = excluded.bytes_down
  `.execute(db);
}

async function makeMonths(db: Db, rows: readonly HourRow[]): Promise<void> {
  const months = new Set(rows.map(({ start }) => start.toISOString().slice(0, 7)));
  for (const month of months) {
    const first = `${month}-01`;
    await sql`
      select make_telemetry_partition(parent, ${first}::date,
        (${first}::date + interval '1 month')::date)
      from unnest(array['telemetry_hours', 'telemetry_days']) as parent
    `.execute(db);
  }
}
