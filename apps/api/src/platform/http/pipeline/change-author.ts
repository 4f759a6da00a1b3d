import type { Trx } from "#src/platform/database/db.ts";

/** The account behind a change, and how it was signed in. */
export interface ChangeAuthor {
  readonly userId: string;
  readonly isStaff: boolean;
  /** Null for a session. */
  readonly apiKeyId: string | null;
}

const authors = new WeakMap<Trx, ChangeAuthor>();

/** Names the caller whose call `trx` carries out, for the records of what it changes. */
export function declareAuthor(trx: Trx, author: ChangeAuthor): void {
  authors.set(trx, author);
}

/** Undefined in a job or a command: the system changes something by itself. */
export function authorOf(trx: Trx): ChangeAuthor | undefined {
  return authors.get(trx);
}
