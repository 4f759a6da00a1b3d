import type { JSONColumnType } from "kysely";
import type { BigIntText, Generated, Timestamp } from "./columns.ts";

/** Append-only by GRANT; `hash` covers every column of the row and the hash before it. */
export interface AuditLogTable {
  id: string;
  chain: string;
  seq: BigIntText;
  previous_hash: string;
  hash: string;
  actor_kind: "anonymous" | "user" | "edge" | "system";
  actor_id: string | null;
  credential: string | null;
  method: string;
  endpoint: string;
  full_url: string;
  response_status: number;
  ip: string;
  request_id: string;
  created_at: Timestamp;
  /** The key of `hash`; empty: none, from before rows had keys. */
  key_id: string;
}

/** The locked head of each chain; sealed by a key, so that no one without it can set it back. */
export interface AuditHeadsTable {
  chain: string;
  seq: BigIntText;
  hash: string;
  key_id: Generated<string | null>;
  seal: Generated<string | null>;
  /** The last row that a mark names. */
  marked_seq: Generated<BigIntText>;
}

/** Known only after the answer, hence outside the hash. */
export interface AuditDurationsTable {
  audit_id: string;
  duration_ms: number;
}

/** The calls of the staff area, beside their rows of the audit log. */
export interface StaffActionsTable {
  audit_id: string;
  staff_id: string | null;
  route: string;
  /** The parameters of the path, by name. */
  subjects: JSONColumnType<Record<string, string>>;
  reason: string | null;
  response_status: number;
  created_at: Timestamp;
}

export interface AuditTables {
  staff_actions: StaffActionsTable;
  audit_log: AuditLogTable;
  audit_heads: AuditHeadsTable;
  audit_durations: AuditDurationsTable;
}
