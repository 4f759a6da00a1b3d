import type { Generated, Timestamp } from "./columns.ts";

/** Why a mail was not added to its ticket. */
export type InboundMailReason =
  | "unreadable"
  | "automatic"
  | "wrong_address"
  | "wrong_sender"
  | "too_many"
  | "ticket_closed"
  | "empty"
  | "quota";

export type InboundMailStatus = "received" | "added" | "refused" | "ignored" | "quarantined";

/** Mails to the reply addresses of tickets. */
export interface InboundMailsTable {
  id: string;
  /** Hash of receiver and Message-ID. */
  delivery_key: string;
  via: "smtp" | "imap" | "development";
  recipient: string;
  /** The sender in the envelope; empty for bounces. */
  sender: string;
  /** The sender in the headers; null until they are read. */
  from_address: Generated<string | null>;
  subject: Generated<string | null>;
  /** The customer's Message-ID. */
  mail_id: Generated<string | null>;
  /** Null once it is not needed any more. */
  source: Buffer | null;
  size_bytes: number;
  status: InboundMailStatus;
  reason: Generated<InboundMailReason | null>;
  ticket_id: Generated<string | null>;
  /** The ticket message that it became. */
  message_id: Generated<string | null>;
  was_answered: Generated<boolean>;
  received_at: Timestamp;
  processed_at: Generated<Date | null>;
}

export interface InboundMailsTables {
  inbound_mails: InboundMailsTable;
}
