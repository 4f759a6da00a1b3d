/** A link: a path of the console, a whole URL, or a mail to the operator. */
export interface MailLink {
  readonly label: string;
  readonly to: string | { readonly operator: true };
}

export interface MailDetail {
  readonly label: string;
  readonly value: string;
}

/** The content of a mail in one language, without layout. The layout escapes all of it. */
export interface MailContent {
  readonly subject: string;
  readonly heading: string;
  /** The first is also what mailboxes show beside the subject: it must hold no code. */
  readonly paragraphs: readonly string[];
  /** A person's words, shown with their line breaks after the paragraphs. */
  readonly quote?: { readonly by: string; readonly text: string };
  /** Shown large, to be read or copied. */
  readonly code?: string;
  readonly action?: MailLink;
  /** The subject of the mail, and when and from where it was caused. */
  readonly details: readonly MailDetail[];
  /** The next step of a reader who did not cause the mail. */
  readonly caution?: { readonly text: string; readonly action?: MailLink };
  /** Why it was sent to this reader. */
  readonly reason: string;
  /** The page that switches mails of this kind off; security mails have none. */
  readonly optOut?: MailLink;
  /** For mails that can be answered. */
  readonly reply?: MailReply;
  /** Mails of one subject, which mail programs show together. */
  readonly thread?: MailThread;
}

export interface MailReply {
  readonly address: string;
  /** The first line: answers are written above it. */
  readonly marker: string;
}

export interface MailThread {
  /** Letters, digits, dots and dashes. */
  readonly id: string;
  /** Ids of the receiver's own mails, with their angle brackets; the newest last. */
  readonly receiverMailIds: readonly string[];
}

/** The parts that every mail of this installation shares. */
export interface Letterhead {
  readonly operator: { readonly name: string; readonly address: string; readonly email: string };
  /** Without a slash at the end. */
  readonly consoleOrigin: () => string;
}

export function resolveLink(link: MailLink, letterhead: Letterhead): string {
  if (typeof link.to !== "string") return `mailto:${letterhead.operator.email}`;
  return link.to.startsWith("/") ? `${letterhead.consoleOrigin()}${link.to}` : link.to;
}
