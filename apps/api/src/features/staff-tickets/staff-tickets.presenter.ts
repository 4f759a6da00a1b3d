import type {
  StaffTicket,
  StaffTicketDetail,
  StaffTicketMessage,
} from "@palisade/contract/http/staff-ticket-shapes";
import type { Locale } from "@palisade/contract/texts/render";
import { presentAttachment } from "#src/features/attachments/attachment-view.service.ts";
import type { AttachmentRow } from "#src/features/attachments/attachments.service.ts";
import { translated } from "#src/features/plans/translations.service.ts";
import type { StaffTicketRow } from "./staff-queue.repository.ts";
import type { selectLink, ThreadRow } from "./staff-ticket.repository.ts";

export interface PresentedBy {
  readonly locale: Locale;
  /** The name of the plan of customers without a paid one. */
  readonly freePlan: string;
  readonly colleagues: readonly { readonly id: string; readonly name: string }[];
}

export function presentStaffTicket(
  row: StaffTicketRow,
  { locale, freePlan, colleagues }: PresentedBy,
): StaffTicket {
  const { name, translations } = row;
  return {
    id: row.id,
    ticket_number: Number(row.number),
    subject: row.subject,
    category: row.category,
    severity: row.severity,
    status: row.status,
    customer: { id: row.user_id, email: row.email, first_name: row.first_name },
    support_plan:
      name === null || translations === null
        ? freePlan
        : translated({ name, translations }, "name", locale),
    assignee: colleagues.find(({ id }) => id === row.assignee_id) ?? null,
    tags: [...row.tags],
    due_at: row.due_at?.toISOString() ?? null,
    snoozed_until: row.snoozed_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentThreadMessage(
  row: ThreadRow,
  attachments: readonly AttachmentRow[],
  viewerId: string,
): StaffTicketMessage {
  return {
    id: row.id,
    message: row.body,
    is_admin: row.is_admin,
    is_internal: row.is_internal,
    author:
      row.email === null || row.deleted_at !== null
        ? null
        : { email: row.email, first_name: row.first_name },
    is_own: row.author_id !== null && row.author_id === viewerId,
    source: row.source,
    attachments: attachments
      .filter(({ message_id }) => message_id === row.id)
      .map(presentAttachment),
    created_at: row.created_at.toISOString(),
  };
}

type LinkRow = NonNullable<Awaited<ReturnType<typeof selectLink>>>;

export function presentLink(row: LinkRow): StaffTicketDetail["other_tickets"][number] {
  return {
    id: row.id,
    ticket_number: Number(row.number),
    subject: row.subject,
    status: row.status,
  };
}
