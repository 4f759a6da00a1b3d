import type { Generated, Timestamp } from "./columns.ts";

/** Details that users enter about themselves; absent until they first do. */
interface ProfilesTable {
  user_id: string;
  /** As typed. */
  username: string | null;
  /** Lower case; unique. */
  username_key: string | null;
  first_name: string | null;
  last_name: string | null;
  address_line_1: string | null;
  address_line_2: string | null;
  zip_code: string | null;
  city: string | null;
  country: string | null;
  company_name: string | null;
  vat_id: string | null;
  email_notifications: Generated<boolean>;
  /** Encrypted: the address alone is enough to write to the channel. */
  sealed_webhook: string | null;
  webhook_hint: string | null;
}

interface EmailChangesTable {
  user_id: string;
  email: string;
  token_hash: string;
  /** False where the address had an account: looks alike, leads nowhere. */
  is_usable: boolean;
  created_at: Timestamp;
  expires_at: Timestamp;
}

export interface ProfilesTables {
  profiles: ProfilesTable;
  email_changes: EmailChangesTable;
}
