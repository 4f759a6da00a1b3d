/** A mail as it was read: the parts that tickets need. */
export interface ReadMail {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Addresses of the From header, in lower case; more than one for an ambiguous sender. */
  readonly from: readonly string[];
  /** Addresses that it was sent to, by its headers. */
  readonly recipients: readonly string[];
  /** With its angle brackets. */
  readonly mailId: string | null;
  readonly subject: string;
  /** Without quoted mails and signature. */
  readonly text: string;
  readonly files: readonly MailFile[];
}

export interface MailFile {
  readonly name: string;
  /** Null where it is larger than any file of a ticket. */
  readonly content: Uint8Array | null;
}

/** It is no mail that this program reads: broken, or made to take a program down. */
export class MailUnreadable extends Error {}

export interface ReadingOptions {
  readonly fileBytesMax: number;
  /** More files than this are only named. */
  readonly filesMax: number;
}
