import type { Timestamp } from "./columns.ts";

/** Unused tokens of the live channel; only the hash is stored. */
interface LiveTokensTable {
  token_hash: string;
  session_id: string;
  expires_at: Timestamp;
}

export interface LiveChannelTables {
  live_tokens: LiveTokensTable;
}
