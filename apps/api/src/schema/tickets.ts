import type { TicketCategory, TicketSeverity, TicketStatus } from "@palisade/contract/http/tickets";
import type { AttachmentType } from "@palisade/contract/http/attachment-rules";
import type { JSONColumnType } from "kysely";
import type { Generated, Timestamp } from "./columns.ts";

export interface TicketsTable {
  id: string;
  number: Generated<string>;
  user_id: string;
  shield_id: string | null;
  category: TicketCategory;
  severity: TicketSeverity;
  subject: string;
  status: TicketStatus;
  assignee_id: Generated<string | null>;
  /** Settings and doctor report of the shield when the ticket was opened. */
  snapshot: JSONColumnType<object> | null;
  snoozed_until: Generated<Date | null>;
  merged_into: Generated<string | null>;
  /** The oldest message of the customer that staff have not answered. */
  waiting_since: Generated<Date | null>;
  /** When staff should have answered; null while it is not their turn. */
  due_at: Generated<Date | null>;
  /** Staff were told that it is overdue. */
  escalated_at: Generated<Date | null>;
  /** Staff were told that it is critical. */
  critical_told_at: Generated<Date | null>;
  tags: Generated<readonly string[]>;
  /** When staff answered first. */
  answered_at: Generated<Date | null>;
  closed_at: Generated<Date | null>;
  satisfaction_score: Generated<number | null>;
  satisfaction_comment: Generated<string | null>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface TicketMessagesTable {
  id: string;
  ticket_id: string;
  /** Counts up within the ticket. */
  position: number;
  /** Null for the product itself, and once the account was deleted. */
  author_id: string | null;
  is_admin: boolean;
  /** For staff alone. */
  is_internal: Generated<boolean>;
  body: string;
  source: "console" | "mail";
  created_at: Timestamp;
}

export interface TicketAttachmentsTable {
  id: string;
  ticket_id: string;
  message_id: string;
  /** The account whose quota it counts in. */
  user_id: string;
  original_name: string;
  type: AttachmentType;
  size_bytes: number;
  storage_key: string;
  position: number;
  created_at: Timestamp;
}

export interface TicketsTables {
  tickets: TicketsTable;
  ticket_messages: TicketMessagesTable;
  ticket_attachments: TicketAttachmentsTable;
}
