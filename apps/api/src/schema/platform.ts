import type { JSONColumnType } from "kysely";
import type { BigIntText, Timestamp } from "./columns.ts";

/** A fixed window of a limit; `key` is a hash, because it may stem from an e-mail. */
export interface RateLimitsTable {
  key: string;
  hits: number;
  expires_at: Timestamp;
}

/** The stored answer of a request with an Idempotency-Key. */
export interface IdempotencyKeysTable {
  actor: string;
  key: string;
  route: string;
  request_hash: string;
  status: number;
  /** `unfinished`: what the call began with; its answer is still to come. */
  answer: JSONColumnType<{ body: unknown; headers: Record<string, string>; unfinished?: true }>;
  created_at: Timestamp;
}

/** One row: how far the development clock is ahead. */
export interface DevelopmentClockTable {
  id: number;
  offset_ms: BigIntText;
}

/** Mails of the development mailbox. */
export interface DevelopmentMailsTable {
  id: string;
  recipient: string;
  subject: string;
  text_body: string;
  html_body: string;
  reply_to: string | null;
  created_at: Timestamp;
}

export interface PlatformTables {
  rate_limits: RateLimitsTable;
  idempotency_keys: IdempotencyKeysTable;
  development_clock: DevelopmentClockTable;
  development_mails: DevelopmentMailsTable;
}
