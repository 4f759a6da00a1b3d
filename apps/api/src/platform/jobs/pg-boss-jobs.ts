import {
  fromKysely,
  PgBoss,
  type JobWithMetadata,
  type Queue,
  type QueueResult,
  type Schedule,
} from "pg-boss";
import type { Logger } from "pino";
import type { Bus } from "#src/platform/database/bus.ts";
import { createPool } from "#src/platform/database/pool.ts";
import { jobSchema } from "#src/platform/database/job-schema.ts";
import type { JobDefinition, Jobs } from "./jobs.ts";

export interface JobRunner extends Jobs {
  /** Makes the queues and begins to work them. */
  start(definitions: readonly JobDefinition<object>[]): Promise<void>;
  /** Lets running jobs end first. */
  stop(): Promise<void>;
}

export interface JobRunnerOptions {
  readonly url: string;
  readonly bus: Bus;
  readonly log: Logger;
}

/**
 * pg-boss on a pool and a notification connection of ours, whose losses are heard: its own would
 * leave errors of a lost connection without a listener, and so end the process.
 */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { bus, log } = options;
  const pool = createPool({
    url: options.url,
    name: "palisade-api-jobs",
    connectionsMax: 4,
    statementTimeoutMs: 60_000,
    onConnectionError: (error) => log.warn({ err: error }, "Jobs: an idle connection was lost"),
  });
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query(text, values),
      async listen(channel, onMessage, onReconnect) {
        const end = await bus.listen(channel, onMessage, onReconnect);
        // No worker was notified of jobs sent before this moment.
        onReconnect();
        return { close: async () => end() };
      },
    },
    schema: jobSchema,
    // The schema belongs to the owner, who migrates; this role could not change it.
    migrate: false,
    createSchema: false,
    reindex: false,
    monitorVacuum: false,
    useListenNotify: true,
    instanceName: "api",
  });
  boss.on("error", (error) => log.warn({ err: error }, "Jobs: the database call failed"));

  return {
    async start(definitions) {
      await boss.start();
      const kept = await readKept(boss, definitions);
      for (const definition of definitions) await startQueue(boss, definition, kept, log);
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 10_000 });
      await pool.end();
    },
    async send(trx, name, data) {
      const id = await boss.send(name, data, { db: fromKysely(trx) });
      if (id === null) throw new Error(`Job ${name} was not accepted`);
    },
  };
}

/**
 * New jobs wake the worker by NOTIFY; only polling finds those whose time to try again has come,
 * so it is as slow as that time allows.
 */
function pollingOf({ retryDelaySeconds }: JobDefinition<object>) {
  const seconds = Math.min(Math.max(2, retryDelaySeconds / 2), 30);
  return { pollingIntervalSeconds: seconds, notifyPollingIntervalSeconds: seconds };
}

/** Queues and schedules as the database has them: most starts change none. */
interface Kept {
  readonly queues: ReadonlyMap<string, QueueResult>;
  readonly schedules: ReadonlyMap<string, Schedule>;
}

async function readKept(
  boss: PgBoss,
  definitions: readonly JobDefinition<object>[],
): Promise<Kept> {
  const names = definitions.map(({ name }) => name);
  const all = { limit: Math.max(1, names.length) };
  const [queues, schedules] = await Promise.all([
    boss.getQueues(names, all),
    // Those of jobs that are gone may take places: what is not found is made again.
    boss.getSchedules(undefined, undefined, all),
  ]);
  return {
    queues: new Map(queues.map((queue) => [queue.name, queue])),
    schedules: new Map(schedules.map((schedule) => [schedule.name, schedule])),
  };
}

/** The part of a queue that its job's definition decides. */
type WantedQueue = Pick<
  Queue,
  | "retryLimit"
  | "retryDelay"
  | "retryBackoff"
  | "retryDelayMax"
  | "expireInSeconds"
  | "deleteAfterSeconds"
  | "notify"
>;

async function startQueue(
  boss: PgBoss,
  definition: JobDefinition<object>,
  { queues, schedules }: Kept,
  log: Logger,
): Promise<void> {
  const { name } = definition;
  const queue: WantedQueue = {
    retryLimit: definition.retryLimit,
    retryDelay: definition.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: definition.tryLimitSeconds ?? 300,
    // Data may hold codes sent by mail: keep what is done only for a look at recent trouble.
    deleteAfterSeconds: 3600,
    notify: true,
  };
  const before = queues.get(name);
  if (before === undefined) await boss.createQueue(name, queue);
  else if (!isSame(queue, before)) await boss.updateQueue(name, queue);
  for (let worker = 0; worker < (definition.concurrency ?? 1); worker += 1) {
    await startWorker(boss, definition, log);
  }
  const { cron } = definition;
  if (cron !== undefined && schedules.get(name)?.cron !== cron) {
    await boss.schedule(name, cron, {}, { tz: "UTC" });
  }
}

function isSame(wanted: WantedQueue, before: WantedQueue): boolean {
  const names = Object.keys(wanted) as (keyof WantedQueue)[];
  return names.every((name) => wanted[name] === before[name]);
}

/** One transaction notifies once, however many jobs it sent: after each there may be another. */
async function startWorker(
  boss: PgBoss,
  definition: JobDefinition<object>,
  log: Logger,
): Promise<void> {
  let id: string | undefined;
  const options = { ...pollingOf(definition), includeMetadata: true as const };
  id = await boss.work<object, void, typeof options>(definition.name, options, async (jobs) => {
    try {
      for (const job of jobs) await runJob(definition, job, log);
    } finally {
      if (id !== undefined) boss.notifyWorker(id);
    }
  });
}

async function runJob(
  definition: JobDefinition<object>,
  job: JobWithMetadata,
  log: Logger,
): Promise<void> {
  try {
    await definition.run(job.data ?? {}, job.signal);
  } catch (error) {
    const about = { err: error, job: definition.name, jobId: job.id };
    if (job.retryCount < job.retryLimit) log.warn(about, "A job failed");
    else {
      log.error(about, "A job was given up after its last try");
      definition.onGivenUp?.(job.data ?? {}, error);
    }
    throw error;
  }
}
