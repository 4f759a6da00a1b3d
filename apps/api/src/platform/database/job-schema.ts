import type { Pool } from "pg";
import { PgBoss } from "pg-boss";

/** Schema of pg-boss; made by `migrate` as the owner, used by the runtime role. */
export const jobSchema = "jobs";

/** Creates or updates pg-boss's tables, as the owner. */
export async function installJobSchema(owner: Pool): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => owner.query(text, values) },
    schema: jobSchema,
    supervise: false,
    schedule: false,
    registerInstance: false,
  });
  // Thrown from start() as well; without a listener it would end the process as unhandled.
  boss.on("error", () => undefined);
  await boss.start();
  await boss.stop({ graceful: false });
}
