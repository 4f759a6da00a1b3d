import type { Trx } from "#src/platform/database/db.ts";

/** A job and how it is tried again; `data` is JSON. */
export interface JobDefinition<T extends object> {
  readonly name: string;
  readonly retryLimit: number;
  readonly retryDelaySeconds: number;
  /** When set, also runs by this schedule (cron, UTC) with empty data. */
  readonly cron?: string;
  /** How many of a process run at once; by default one. */
  readonly concurrency?: number;
  /** A try that takes longer is taken for one whose process died; by default five minutes. */
  readonly tryLimitSeconds?: number;
  /** Throw to have it tried again. Aborts where the process cannot wait for it any longer. */
  run(data: T, signal?: AbortSignal): Promise<void>;
  /** After the last try has failed. Not where the process died in it. */
  onGivenUp?(data: T, error: unknown): void;
}

/** Sends jobs inside the transaction of the change they belong to. */
export interface Jobs {
  send(trx: Trx, name: string, data: object): Promise<void>;
}
