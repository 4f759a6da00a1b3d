import { sql, type RawBuilder } from "kysely";
import type { Db } from "#src/platform/database/db.ts";
import type { TelemetryTable } from "./telemetry-merge.repository.ts";

/** Far longer than minutes are kept, of which rollups are made. */
const erasedDays = 60;
/** The most rows that one statement deletes. */
const rowsAtOnce = 10_000;

const daysAgo = (days: number) =>
  sql<Date>`clock_timestamp() - make_interval(days => ${days}::integer)`;

export function selectPlans(db: Db) {
  return db.selectFrom("pricing_plans").select(["id", "limits as plan_limits"]).execute();
}

export async function selectShieldsOnPlan(
  db: Db,
  planId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("shields")
    .select("id")
    .where("pricing_plan_id", "=", planId)
    .$if(after !== null, (query) => query.where("id", ">", after ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Erased lately: a rollup of these may have begun before. */
export async function selectErasedShields(
  db: Db,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from shields where erased_at >= ${daysAgo(erasedDays)}
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

type RollupTable = "telemetry_hours" | "telemetry_days";

/** Which of the shields have rows older than `days`. */
export async function selectShieldsWithOldRows(
  db: Db,
  table: RollupTable,
  shieldIds: readonly string[],
  days: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${shieldIds}::uuid[]) asked (id)
    where exists (
      select from ${sql.table(table)} where shield_id = asked.id and start < ${daysAgo(days)})
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** A shield's hours of all the months that are kept are fewer than 10,000. */
export async function deleteOldRows(
  db: Db,
  table: RollupTable,
  shieldId: string,
  days: number,
): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where shield_id = ${shieldId} and start < ${daysAgo(days)}
  `.execute(db);
}

export async function deleteRows(
  db: Db,
  table: TelemetryTable,
  shieldIds: readonly string[],
): Promise<void> {
  await sql`delete from ${sql.table(table)} where shield_id = any(${shieldIds}::uuid[])`.execute(
    db,
  );
}

/** @returns whether there may be more */
export function deleteCoverage(db: Db, days: number): Promise<boolean> {
  return deletePortion(
    db,
    "telemetry_coverage",
    sql`(step = 60 and start < ${daysAgo(3)}) or (step = 600 and start < ${daysAgo(18)})
      or start < ${daysAgo(days)}`,
  );
}

/** Reports outlive the minutes they may still bring. */
const reportDaysKept = 7;

/** @returns whether there may be more */
export function deleteOldReports(db: Db): Promise<boolean> {
  // Without its rows, a period that is not rolled up would be taken for complete.
  const isOld = sql`received_at < ${daysAgo(reportDaysKept)} and rolled = 3`;
  return deletePortion(db, "telemetry_reports", isOld);
}

/** @returns whether there may be more */
export function deleteChallengeTimes(db: Db, beforeMs: number): Promise<boolean> {
  return deletePortion(db, "challenge_times", sql`day < ${new Date(beforeMs)}::date`);
}

async function deletePortion(
  db: Db,
  table: "telemetry_coverage" | "telemetry_reports" | "challenge_times",
  isOld: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${isOld} limit ${sql.lit(rowsAtOnce)}))
  `.execute(db);
  return Number(numAffectedRows ?? 0n) >= rowsAtOnce;
}
