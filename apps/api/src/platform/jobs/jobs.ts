import type { Trx } from "#src/platform/database/db.ts";

/** A job and how it is tried again; `data` is JSON. */
export interface JobDefinition<T extends object> {
  readonly name: string;
  readonly retryLimit: number;
  readonly retryDelaySeconds: number;
  /** When set, also runs by this schedule (cron, UTC) with empty data. */
  readonly cron?: string;
  /** Throw to have it tried again. */
  run(data: T): Promise<void>;
}

/** Sends jobs inside the transaction of the change they belong to. */
export interface Jobs {
  send(trx: Trx, name: string, data: object): Promise<void>;
}
