import { sql } from "kysely";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { closeSilentAttacks } from "./attack-reports.service.ts";

/** For longer than an edge may still tell of one. */
const partDaysKept = 7;

export function attackClosing(db: Db): JobDefinition<object> {
  return {
    name: "attacks.close",
    retryLimit: 0,
    retryDelaySeconds: 1,
    cron: "* * * * *",
    run: (_data, signal) => closeSilentAttacks(db, signal),
  };
}

/** Attacks stay; what each edge had of them does not. */
export function attackCleaning(db: Db): JobDefinition<object> {
  return {
    name: "attacks.clean",
    retryLimit: 3,
    retryDelaySeconds: 600,
    cron: "46 3 * * *",
    async run() {
      await sql`
        delete from attack_parts using attacks
        where attacks.id = attack_parts.attack_id
          and attacks.ended_at < clock_timestamp() - make_interval(days => ${sql.lit(partDaysKept)})
      `.execute(db);
    },
  };
}
