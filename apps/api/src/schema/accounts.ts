import type { Timestamp } from "./columns.ts";

export interface UsersTable {
  id: string;
  /** As typed, trimmed. */
  email: string;
  /** Lower case; unique. */
  email_key: string;
  password_hash: string;
  role: "customer" | "staff";
  locale: "en" | "ru";
  email_verified_at: Timestamp | null;
  privacy_accepted_at: Timestamp;
  privacy_version: string;
  created_at: Timestamp;
}

/** Opaque bearer tokens of the console; only the hash is stored (decision 12). */
export interface SessionsTable {
  id: string;
  user_id: string;
  token_hash: string;
  device: string;
  ip: string;
  created_at: Timestamp;
  last_seen_at: Timestamp;
  expires_at: Timestamp;
}

export interface ApiKeysTable {
  id: string;
  user_id: string;
  name: string;
  token_hash: string;
  scope: "read" | "write";
  created_at: Timestamp;
  last_used_at: Timestamp | null;
  expires_at: Timestamp | null;
}

/**
 * One attempt to confirm an e-mail. Each registration has its own row with its own
 * password, so that a stranger who registers the same address meanwhile cannot
 * have their password confirmed by the owner of the mailbox.
 */
export interface EmailConfirmationsTable {
  id: string;
  user_id: string | null;
  email_key: string;
  /** Of the pending-registration cookie. */
  cookie_hash: string;
  code_hash: string;
  password_hash: string;
  tries: number;
  created_at: Timestamp;
  expires_at: Timestamp;
  void_at: Timestamp | null;
}

export interface AccountsTables {
  users: UsersTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  email_confirmations: EmailConfirmationsTable;
}
