import { attachmentTypes, imageTypes } from "@palisade/contract/http/attachment-rules";
import type { LiveMessage } from "@palisade/contract/http/live-channel";
import type { TicketAttachment } from "@palisade/contract/http/tickets";
import type { MessageRow, selectAttachmentsOf } from "./live-messages.repository.ts";
import type { LiveViewer } from "./live-viewer.ts";

export type AttachmentRow = Awaited<ReturnType<typeof selectAttachmentsOf>>[number];

/** A message as the viewer may see it: staff have no address. */
export function presentMessage(
  row: MessageRow,
  attachments: readonly AttachmentRow[],
  viewer: LiveViewer,
): LiveMessage {
  const isGone = row.deleted_at !== null;
  return {
    ticket_id: row.ticket_id,
    id: row.id,
    message: row.body,
    is_admin: row.is_admin,
    is_internal: row.is_internal,
    user: {
      email: row.is_admin || isGone ? null : row.email,
      first_name: isGone ? null : row.first_name,
    },
    is_own: row.author_id === viewer.userId,
    source: row.source,
    attachments: attachments.map(presentAttachment),
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
