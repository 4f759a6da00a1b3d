import type { TicketSeverity } from "@palisade/contract/http/tickets";
import type { TargetHours } from "@palisade/contract/http/usual-answer";
import type { Generated, Timestamp } from "./columns.ts";

interface SupportTargetsTable {
  support_plan_id: string;
  severity: TicketSeverity;
  response_minutes: number;
  hours: TargetHours;
}

/** One row. */
interface SupportHoursTable {
  id: Generated<boolean>;
  time_zone: string;
  /** 1 is Monday. */
  days: number[];
  /** Minutes of the day. */
  opens_at: number;
  closes_at: number;
}

interface CannedRepliesTable {
  id: string;
  title: string;
  body_en: string;
  /** Empty: the English text serves. */
  body_ru: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface TicketReadersTable {
  ticket_id: string;
  staff_id: string;
  is_typing: boolean;
  seen_at: Timestamp;
}

export interface TicketQueueTables {
  support_targets: SupportTargetsTable;
  support_hours: SupportHoursTable;
  canned_replies: CannedRepliesTable;
  ticket_readers: TicketReadersTable;
}
