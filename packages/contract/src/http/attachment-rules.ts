/** Files of tickets: one table for the forms of the console and for what the api accepts. */

export const attachmentFilesMax = 5;
export const attachmentBytesMax = 10 * 1024 * 1024;

/** The types of files the api takes. It tells them by their bytes; the names are for the forms. */
export const attachmentTypes = {
  png: { contentType: "image/png", extensions: ["png"] },
  jpeg: { contentType: "image/jpeg", extensions: ["jpg", "jpeg"] },
  pdf: { contentType: "application/pdf", extensions: ["pdf"] },
  text: { contentType: "text/plain", extensions: ["txt", "log", "text"] },
  csv: { contentType: "text/csv", extensions: ["csv"] },
  doc: { contentType: "application/msword", extensions: ["doc"] },
  docx: {
    contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    extensions: ["docx"],
  },
  xls: { contentType: "application/vnd.ms-excel", extensions: ["xls"] },
  xlsx: {
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    extensions: ["xlsx"],
  },
  zip: { contentType: "application/zip", extensions: ["zip"] },
} as const;

export type AttachmentType = keyof typeof attachmentTypes;

/** The types that each form sends. */
export const sentTypes = {
  ticket: ["png", "jpeg", "pdf", "text", "doc", "docx", "zip"],
  reply: ["png", "jpeg", "text", "csv", "xls", "xlsx"],
} as const satisfies Record<string, readonly AttachmentType[]>;

export type AttachmentForm = keyof typeof sentTypes;

/** Shown in the thread; all other files are downloaded. */
export const imageTypes: readonly AttachmentType[] = ["png", "jpeg"];
