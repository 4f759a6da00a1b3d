import { sql } from "kysely";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";

/** Reports outlive the minutes they may still bring; minutes serve the charts of a month. */
const reportDaysKept = 7;
const minuteDaysKept = 31;

/** Once a day; hours and refusals stay. */
export function telemetryCleaning(db: Db): JobDefinition<object> {
  return {
    name: "telemetry-cleaning",
    retryLimit: 3,
    retryDelaySeconds: 600,
    cron: "40 3 * * *",
    async run() {
      const before = (days: number) =>
        sql<Date>`clock_timestamp() - make_interval(days => ${days})`;
      await db
        .deleteFrom("telemetry_reports")
        .where("received_at", "<", before(reportDaysKept))
        .execute();
      await db.deleteFrom("traffic_minutes").where("minute", "<", before(minuteDaysKept)).execute();
    },
  };
}
