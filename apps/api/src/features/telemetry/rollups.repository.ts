import { sql } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import {
  mergedColumns,
  mergedRows,
  telemetryTables,
  type TelemetryTable,
} from "./telemetry-merge.repository.ts";

interface Level {
  readonly rolled: number;
  readonly from: TelemetryTable;
  readonly to: TelemetryTable;
}

/** Each computed from the one before. */
const levels: readonly Level[] = [
  { rolled: 1, from: "telemetry_minutes", to: "telemetry_tens" },
  { rolled: 2, from: "telemetry_tens", to: "telemetry_hours" },
  { rolled: 3, from: "telemetry_hours", to: "telemetry_days" },
];

/** Reports of the last seconds of a period may still be on their way. */
const lateSeconds = 60;
/** Its key in PostgreSQL's advisory locks. */
const rollupLock = 7_262_394;

/**
 * Rolls up every period that is over and has reports since it was rolled up last. Readers take a period
 * from the finer table until this has committed, so at each moment every report counts once.
 *
 * @returns whether this process did it; another one may be at it
 */
export function rollUp(db: Db): Promise<boolean> {
  // One snapshot: what is marked as rolled up is exactly what the sums have seen.
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      await sql`set local statement_timeout = '10min'`.execute(trx);
      const { rows } = await sql<{ taken: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(rollupLock)}) as taken
      `.execute(trx);
      if (rows[0]?.taken !== true) return false;
      for (const level of levels) await rollUpLevel(trx, level);
      return true;
    });
}

async function rollUpLevel(trx: Trx, { rolled, from, to }: Level): Promise<void> {
  const step = telemetryTables[to];
  const { rows } = await sql<{ start: Date; edges: string[] }>`
    with marked as (
      update telemetry_reports set rolled = ${rolled}
      where rolled = ${rolled - 1} and last_minute < date_bin(make_interval(secs => ${sql.lit(step)}),
        clock_timestamp() - make_interval(secs => ${sql.lit(lateSeconds)}),
        timestamptz '2000-01-01 00:00:00+00')
      returning edge_id, first_minute, last_minute
    )
    select start, array_agg(distinct edge_id::text) as edges from marked, generate_series(
      date_bin(make_interval(secs => ${sql.lit(step)}), first_minute,
        timestamptz '2000-01-01 00:00:00+00'),
      last_minute, make_interval(secs => ${sql.lit(step)})) as start
    group by 1 order by 1
  `.execute(trx);
  for (const { start, edges } of rows) {
    const end = new Date(start.getTime() + step * 1_000);
    await writeRollup(trx, { from, to, start, end, edges });
  }
}

interface Rollup {
  readonly from: TelemetryTable;
  readonly to: TelemetryTable;
  readonly start: Date;
  readonly end: Date;
  /** Edges that have reported this period since it was rolled up last. */
  readonly edges: readonly string[];
}

async function writeRollup(trx: Trx, { from, to, start, end, edges }: Rollup): Promise<void> {
  const within = sql`start >= ${start} and start < ${end}`;
  const where = sql<boolean>`${within} and shield_id in (
    select shield_id from telemetry_minutes where ${within} and edge_id = any(${edges}::uuid[]))`;
  const columns = [...mergedColumns, "reasons", "tops", "sketch"];
  const replaced = columns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`);
  await sql`
    insert into ${sql.table(to)} (shield_id, start,
      ${sql.join(columns.map((column) => sql.ref(column)))})
    ${mergedRows(from, telemetryTables[to], where)}
    on conflict (shield_id, start) do update set ${sql.join(replaced)}
  `.execute(trx);
}

/** When the tables end: the first minute of each that is not in its rollups yet; null: all is. */
export interface Cuts {
  readonly tens: Date | null;
  readonly hours: Date | null;
  readonly days: Date | null;
}

export async function selectCuts(db: Executor): Promise<Cuts> {
  const { rows } = await sql<Cuts>`
    select (select min(first_minute) from telemetry_reports where rolled < 1) as tens,
      (select min(first_minute) from telemetry_reports where rolled < 2) as hours,
      (select min(first_minute) from telemetry_reports where rolled < 3) as days
  `.execute(db);
  return rows[0] ?? { tens: null, hours: null, days: null };
}

export async function makePartitions(db: Executor, daysAhead: number): Promise<void> {
  await sql`select make_telemetry_partitions(${daysAhead}::integer)`.execute(db);
}

/** Drops the oldest partition if it ends before the time. @returns whether it dropped one */
export async function dropPartition(
  db: Executor,
  table: TelemetryTable,
  before: Date,
): Promise<boolean> {
  const { rows } = await sql<{ dropped: number }>`
    select drop_telemetry_partition(${table}, ${before}) as dropped
  `.execute(db);
  return rows[0]?.dropped === 1;
}
