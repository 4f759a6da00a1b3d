import { sql } from "kysely";
import type { Db } from "#src/platform/database/db.ts";

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

const daysAgo = (days: number) =>
  sql<Date>`clock_timestamp() - make_interval(days => ${days}::integer)`;

export async function deleteRollups(
  db: Db,
  shieldIds: readonly string[],
  days: number,
): Promise<void> {
  for (const table of ["telemetry_hours", "telemetry_days"] as const) {
    await sql`
      delete from ${sql.table(table)}
      where shield_id = any(${shieldIds}::uuid[]) and start < ${daysAgo(days)}
    `.execute(db);
  }
}

export async function deleteCoverage(db: Db, days: number): Promise<void> {
  await sql`
    delete from telemetry_coverage
    where (step = 60 and start < ${daysAgo(3)}) or (step = 600 and start < ${daysAgo(18)})
      or start < ${daysAgo(days)}
  `.execute(db);
}

/** Reports outlive the minutes they may still bring. */
const reportDaysKept = 7;

export async function deleteOldReports(db: Db): Promise<void> {
  await db
    .deleteFrom("telemetry_reports")
    .where(
      "received_at",
      "<",
      sql<Date>`clock_timestamp() - make_interval(days => ${reportDaysKept})`,
    )
    // Without its rows, a period that is not rolled up would be taken for complete.
    .where("rolled", "=", 3)
    .execute();
}
