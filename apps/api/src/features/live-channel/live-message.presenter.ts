import { attachmentTypes, imageTypes } from "@palisade/contract/http/attachment-rules";
import type { TicketAttachment, TicketMessage } from "@palisade/contract/http/tickets";
import type { Executor } from "#src/platform/database/db.ts";
import {
  selectAttachmentsOf,
  selectMessagesAfter,
  type MessageRow,
} from "./live-messages.repository.ts";

type AttachmentRow = Awaited<ReturnType<typeof selectAttachmentsOf>>[number];

export interface ReadMessage {
  readonly id: string;
  readonly ticketId: string;
  readonly position: number;
  readonly isInternal: boolean;
  present(viewerId: string | null): TicketMessage;
}

export async function readMessagesAfter(
  db: Executor,
  ticketId: string,
  window: { readonly position: number; readonly max: number },
): Promise<readonly ReadMessage[]> {
  const rows = await selectMessagesAfter(db, ticketId, window);
  const files = await selectAttachmentsOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    ticketId: row.ticket_id,
    position: row.position,
    isInternal: row.is_internal,
    present: (viewerId) => presentMessage(row, files, viewerId),
  }));
}

function presentMessage(
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
    is_own: row.author_id === viewerId,
    source: row.source,
    attachments: attachments
      .filter(({ message_id }) => message_id === row.id)
      .map(presentAttachment),
    created_at: row.created_at.toISOString(),
  };
}

function presentAttachment(row: AttachmentRow): TicketAttachment {
  return {
    filename: row.id,
    original_name: row.original_name,
    size: row.size_bytes,
    content_type: attachmentTypes[row.type].contentType,
    is_image: imageTypes.includes(row.type),
  };
}
