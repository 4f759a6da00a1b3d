import type { StaffRole } from "@palisade/contract/http/staff-roles";
import type { AuthFactor } from "@palisade/contract/http/two-factor";
import type { Selectable } from "kysely";
import type { ColumnType } from "kysely";
import type { Generated, Timestamp } from "./columns.ts";

export interface UsersTable {
  id: string;
  /** As typed, trimmed. */
  email: string;
  /** Lower case; unique. */
  email_key: string;
  password_hash: string;
  role: "customer" | "staff";
  /** Empty for customers. */
  staff_roles: ColumnType<StaffRole[], readonly StaffRole[] | undefined, readonly StaffRole[]>;
  locale: "en" | "ru";
  email_verified_at: Timestamp | null;
  privacy_accepted_at: Timestamp;
  privacy_version: string;
  two_factor_enabled_at: Timestamp | null;
  /** Set by staff: the account cannot log in, and its keys do not work. */
  blocked_at: Timestamp | null;
  /** The person is gone; the row stays for bookkeeping. */
  deleted_at: Timestamp | null;
  created_at: Timestamp;
  /** Null until the account has been logged in to. */
  first_login_at: Timestamp | null;
}

/** Browsers that logged in, by the token of their device cookie; only the hash is stored. */
export interface KnownDevicesTable {
  user_id: string;
  token_hash: string;
  created_at: Timestamp;
  last_login_at: Timestamp;
}

/** Networks that logins came from: IPv4 /24, IPv6 /48. */
export interface KnownNetworksTable {
  user_id: string;
  network: string;
  created_at: Timestamp;
  last_login_at: Timestamp;
}

/** Opaque bearer tokens of the console; only the hash is stored. */
export interface SessionsTable {
  id: string;
  user_id: string;
  token_hash: string;
  device: string;
  ip: string;
  created_at: Timestamp;
  last_seen_at: Timestamp;
  /** When its holder last proved who they are. */
  authenticated_at: Timestamp;
  /** The factor of that proof. */
  authenticated_by: Generated<AuthFactor>;
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
  /** The one of the profile, which can be shown again and hence is kept, encrypted. */
  is_profile: Generated<boolean>;
  sealed: string | null;
  /** Its last characters. */
  hint: Generated<string>;
  revoked_at: Timestamp | null;
  expiry_told_at: Timestamp | null;
}

/**
 * One attempt to confirm an e-mail. Each registration has its own row with its own
 * password, so that a stranger who registers the same address cannot
 * have their password confirmed by the owner of the mailbox.
 */
export interface EmailConfirmationsTable {
  id: string;
  user_id: string | null;
  email_key: string;
  /** Hash of the pending-registration cookie. */
  cookie_hash: string;
  /** The cookie is with the browser that chose the password. */
  is_bound: boolean;
  code_hash: string;
  password_hash: string;
  tries: number;
  created_at: Timestamp;
  expires_at: Timestamp;
  void_at: Timestamp | null;
}

export interface TwoFactorTable {
  user_id: string;
  /**
   * Sealed; in force where the user's `two_factor_enabled_at` is set. Null: there are backup codes
   * for passkeys only.
   */
  secret: string | null;
  /** Newest time step whose code was used: int8, which pg gives as text. */
  last_step: ColumnType<string, number, number>;
  codes_made_at: Timestamp | null;
  /** The backup codes themselves, sealed, while they may be read. */
  sealed_codes: string | null;
  /** Null: their hashes are not stretched yet. */
  codes_salt: string | null;
}

/** Unused ones only. */
export interface BackupCodesTable {
  user_id: string;
  code_hash: string;
  /** Its place among the sealed codes; null for codes from before there were places. */
  position: number | null;
}

export interface TwoFactorGuessesTable {
  user_id: string;
  /** `device`: logins on a device that the account knows. */
  place: "login" | "device" | "session";
  short_guesses: number;
  short_ends_at: Timestamp;
  day_guesses: number;
  day_ends_at: Timestamp;
  /** When a new password last gave the day's guesses back. */
  forgiven_at: Timestamp | null;
}

export interface PasswordResetsTable {
  id: string;
  /** Null: the address has no account, and the row is void from the start. */
  user_id: string | null;
  email_key: string;
  code_hash: string;
  /** How well the account knew the caller who asked for the code. */
  asked_by: Generated<"stranger" | "network" | "device">;
  /** Tries of strangers, of callers on a known network, of callers on a known device. */
  tries: number;
  network_tries: Generated<number>;
  device_tries: Generated<number>;
  created_at: Timestamp;
  expires_at: Timestamp;
  void_at: Timestamp | null;
}

/** Staff who see what a customer sees; only the hash of the token is stored. */
export interface StaffViewsTable {
  id: string;
  /** The staff member's own session: the view ends with it. */
  session_id: string;
  staff_id: string;
  user_id: string;
  token_hash: string;
  created_at: Timestamp;
  expires_at: Timestamp;
}

export interface AccountsTables {
  staff_views: StaffViewsTable;
  users: UsersTable;
  known_devices: KnownDevicesTable;
  known_networks: KnownNetworksTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  email_confirmations: EmailConfirmationsTable;
  two_factor: TwoFactorTable;
  backup_codes: BackupCodesTable;
  two_factor_guesses: TwoFactorGuessesTable;
  password_resets: PasswordResetsTable;
}

export type UserRow = Selectable<UsersTable>;
