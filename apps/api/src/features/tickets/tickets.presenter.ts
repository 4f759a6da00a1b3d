import {
  reopenDays,
  type Ticket,
  type TicketDetail,
  type TicketMessage,
} from "@palisade/contract/http/tickets";
import { presentAttachment } from "#src/features/attachments/attachment-view.service.ts";
import type { AttachmentRow } from "#src/features/attachments/attachments.service.ts";
import type { MessageRow } from "./ticket-messages.repository.ts";
import type { ShownTicketRow, TicketRow } from "./tickets.repository.ts";

const dayMs = 86_400_000;

export function reopenUntil({
  status,
  closed_at,
  merged_into,
}: Pick<TicketRow, "status" | "closed_at" | "merged_into">): Date | null {
  if (status !== "closed" || closed_at === null || merged_into !== null) return null;
  return new Date(closed_at.getTime() + reopenDays * dayMs);
}

export function presentTicket(row: ShownTicketRow): Ticket {
  return {
    id: row.id,
    ticket_number: Number(row.number),
    subject: row.subject,
    category: row.category,
    severity: row.severity,
    status: row.status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    user: {
      email: row.deleted_at === null ? row.email : null,
      first_name: row.first_name,
    },
  };
}

export function presentDetail(
  row: ShownTicketRow,
  parts: {
    /** Newest first. */
    readonly messages: readonly MessageRow[];
    readonly attachments: readonly AttachmentRow[];
    readonly response: TicketDetail["response"];
    readonly viewerId: string;
    readonly now: Date;
  },
): TicketDetail {
  const until = reopenUntil(row);
  const customer = presentTicket(row).user;
  const hasStaff = parts.messages.some(({ is_admin }) => is_admin);
  return {
    ...presentTicket(row),
    messages: parts.messages.map((message) =>
      presentMessage(message, parts.attachments, parts.viewerId),
    ),
    members: [
      { ...customer, is_admin: false },
      // Staff answer as one: their names are not shown.
      ...(hasStaff ? [{ email: null, first_name: null, is_admin: true }] : []),
    ],
    server:
      row.shield_id === null || row.server_name === null
        ? null
        : { id: row.shield_id, name: row.server_name },
    has_snapshot: row.has_snapshot,
    merged_into: row.merged_into,
    response: parts.response,
    closed_at: row.closed_at?.toISOString() ?? null,
    reopen_until: until === null || until <= parts.now ? null : until.toISOString(),
    satisfaction:
      row.satisfaction_score === null
        ? null
        : { score: row.satisfaction_score, comment: row.satisfaction_comment ?? "" },
  };
}

/** @param attachments those of this message are picked */
export function presentMessage(
  row: MessageRow,
  attachments: readonly AttachmentRow[],
  viewerId: string | null,
): TicketMessage {
  return {
    id: row.id,
    message: row.body,
    is_admin: row.is_admin,
    user: row.is_admin
      ? { email: null, first_name: null }
      : { email: row.email, first_name: row.first_name },
    is_own: row.author_id !== null && row.author_id === viewerId,
    source: row.source,
    attachments: attachments
      .filter(({ message_id }) => message_id === row.id)
      .map(presentAttachment),
    created_at: row.created_at.toISOString(),
  };
}
