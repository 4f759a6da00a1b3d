import type { ColumnType, Selectable } from "kysely";
import type { Timestamp } from "./columns.ts";

export interface PasskeysTable {
  id: string;
  user_id: string;
  name: string;
  /** Base64url, as the authenticator names it. */
  credential_id: string;
  public_key: Buffer;
  /** int8, which pg gives as text. */
  counter: ColumnType<string, number, number>;
  transports: string[];
  is_synced: boolean;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
}

export interface PasskeyChallengesTable {
  challenge_hash: string;
  purpose: "add" | "login" | "step-up";
  session_id: string | null;
  expires_at: Timestamp;
}

export interface PasskeysTables {
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
}

export type PasskeyRow = Selectable<PasskeysTable>;
