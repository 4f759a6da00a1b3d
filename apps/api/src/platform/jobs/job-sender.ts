import { fromKysely, PgBoss } from "pg-boss";
import { createPool } from "#src/platform/database/pool.ts";
import { jobSchema } from "#src/platform/database/job-schema.ts";
import type { Jobs } from "./jobs.ts";

/** For a program that sends jobs and works none: the api does, the next time it looks. */
export async function withJobSender<T>(url: string, work: (jobs: Jobs) => Promise<T>): Promise<T> {
  const pool = createPool({
    url,
    name: "palisade-cli-jobs",
    connectionsMax: 1,
    statementTimeoutMs: 10_000,
    onConnectionError: () => undefined,
  });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: jobSchema,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    registerInstance: false,
  });
  // Thrown from start() as well; without a listener it would end the process as unhandled.
  boss.on("error", () => undefined);
  try {
    await boss.start();
    return await work({
      async send(trx, name, data) {
        const id = await boss.send(name, data, { db: fromKysely(trx) });
        if (id === null) throw new Error(`Job ${name} was not accepted`);
      },
    });
  } finally {
    await boss.stop({ graceful: false });
    await pool.end();
  }
}
