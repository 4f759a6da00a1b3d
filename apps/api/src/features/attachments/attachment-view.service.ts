import { attachmentTypes } from "@palisade/contract/http/attachment-rules";
import type { TicketAttachment } from "@palisade/contract/http/tickets";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import {
  contentDisposition,
  isImage,
  type AttachmentRow,
  type Attachments,
} from "./attachments.service.ts";

export function presentAttachment(row: AttachmentRow): TicketAttachment {
  return {
    filename: row.id,
    original_name: row.original_name,
    size: row.size_bytes,
    content_type: attachmentTypes[row.type].contentType,
    is_image: isImage(row.type),
  };
}

/** Whatever is in the file, a browser that opens it runs none of it. */
export async function answerFile(
  attachments: Attachments,
  row: AttachmentRow,
  kind: "attachment" | "inline",
) {
  const body = await attachments.read(row).catch((cause: unknown) => {
    throw new DomainError("unavailable", { text: "attachment.read_failed", cause });
  });
  const { contentType } = attachmentTypes[row.type];
  return {
    body,
    headers: {
      "content-type": contentType.startsWith("text/")
        ? `${contentType}; charset=utf-8`
        : contentType,
      "content-length": String(row.size_bytes),
      "content-disposition": contentDisposition(kind, row.original_name),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    },
  };
}
