import { fromKysely, PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { jobSchema } from "./job-schema.ts";
import type { JobDefinition, Jobs } from "./jobs.ts";

export interface JobRunner extends Jobs {
  /** Makes the queues and begins to work them. */
  start(definitions: readonly JobDefinition<object>[]): Promise<void>;
  /** Lets running jobs end first. */
  stop(): Promise<void>;
}

export function createJobRunner(options: {
  readonly url: string;
  readonly log: Logger;
}): JobRunner {
  const { log } = options;
  const boss = new PgBoss({
    connectionString: options.url,
    application_name: "palisade-api-jobs",
    schema: jobSchema,
    // The schema belongs to the owner, who migrates; this role could not change it.
    migrate: false,
    createSchema: false,
    reindex: false,
    monitorVacuum: false,
    max: 4,
    useListenNotify: true,
    instanceName: "api",
  });
  boss.on("error", (error) => log.warn({ err: error }, "Jobs: the database call failed"));

  return {
    async start(definitions) {
      await boss.start();
      for (const definition of definitions) await startQueue(boss, definition, log);
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
    async send(trx, name, data) {
      const id = await boss.send(name, data, { db: fromKysely(trx) });
      if (id === null) throw new Error(`Job ${name} was not accepted`);
    },
  };
}

/** New jobs wake the worker by NOTIFY; only polling finds those whose time to try again has come. */
const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };

async function startQueue(
  boss: PgBoss,
  definition: JobDefinition<object>,
  log: Logger,
): Promise<void> {
  const { name } = definition;
  const queue = {
    retryLimit: definition.retryLimit,
    retryDelay: definition.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 300,
    // Data may hold codes sent by mail: keep what is done only for a look at recent trouble.
    deleteAfterSeconds: 3600,
    notify: true,
  };
  await boss.createQueue(name, queue);
  await boss.updateQueue(name, queue);
  await boss.work<object>(name, polling, async (jobs) => {
    for (const job of jobs) {
      try {
        await definition.run(job.data ?? {});
      } catch (error) {
        log.warn({ err: error, job: name, jobId: job.id }, "A job failed");
        throw error;
      }
    }
  });
  if (definition.cron !== undefined) await boss.schedule(name, definition.cron, {}, { tz: "UTC" });
}
