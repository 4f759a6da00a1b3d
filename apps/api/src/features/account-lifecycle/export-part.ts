import type { Executor } from "#src/platform/database/db.ts";

/** The newest rows of each list; customers who need more ask the operator. */
export const rowsMax = 10_000;
/** For lists that a customer maintains, so that these are complete. */
export const entriesMax = 100_000;

export interface ExportSubject {
  readonly userId: string;
  readonly emailKey: string;
  /** The record of calls about the user's address, one chain for each secret of the installation. */
  readonly addressChains: readonly string[];
}

export type ExportPart = (db: Executor, subject: ExportSubject) => Promise<unknown>;
