import { createHmac } from "node:crypto";
import type { Trx } from "#src/platform/database/db.ts";
import { deriveKeys, type Keys, type Secrets } from "#src/platform/security/derived-key.ts";

/** One call in the audit log. Holds no secret: see redact-url.ts. */
export interface AuditEntry {
  readonly id: string;
  /** `user:<id>`, `address:<hash>` (see addressChain), `edge:<id>` or `anonymous`. */
  readonly chain: string;
  readonly actorKind: "anonymous" | "user" | "edge" | "system";
  readonly actorId: string | null;
  /** `session:<id>` or `api-key:<id>`. */
  readonly credential: string | null;
  readonly method: string;
  /** Route path, with the names of its parameters. */
  readonly endpoint: string;
  readonly fullUrl: string;
  readonly status: number;
  readonly ip: string;
  readonly requestId: string;
  readonly at: Date;
  /** For a call of the staff area; kept beside the row. */
  readonly staffAction?: StaffAction;
}

/** An action or a look of a staff member, and why. */
export interface StaffAction {
  /** Id of the route. */
  readonly route: string;
  /** The parameters of its path: the things it was about. */
  readonly subjects: Readonly<Record<string, string>>;
  readonly reason: string | null;
}

/**
 * The chain of calls about an address, whether or not it has an account. In the chain of the account
 * or in a chain shared by all, such a call would wait for other calls, and the length of the wait
 * would show whether there is an account.
 *
 * @param key keeps readers of the log, which is kept for ever, from trying addresses
 */
export function addressChain(key: Buffer, emailKey: string): string {
  return `address:${createHmac("sha256", key).update(emailKey).digest("base64url")}`;
}

/** New rows are stored by the first key; rows from before a rotation are found by the others. */
export function addressChainKeys(secrets: Secrets): Keys {
  return deriveKeys(secrets, "address-chains");
}

/** Stores audit rows; implemented by the audit feature. */
export interface AuditLog {
  /** Locks the head of a chain until `trx` ends: after all rows, before a lock that all calls share. */
  lock(trx: Trx, chain: string): Promise<void>;
  /** Locks the head of the entry's chain as well: call it last. */
  append(trx: Trx, entry: AuditEntry): Promise<void>;
  recordDuration(auditId: string, durationMs: number): Promise<void>;
}
