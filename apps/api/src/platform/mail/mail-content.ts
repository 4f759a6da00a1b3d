/** A link: a path of the console, a whole URL, or a mail to whoever runs this installation. */
export interface MailLink {
  readonly label: string;
  readonly to: string | { readonly operator: true };
}

export interface MailDetail {
  readonly label: string;
  readonly value: string;
}

/** What a mail says, in one language, before it has a look. Everything in it is escaped later. */
export interface MailContent {
  readonly subject: string;
  readonly heading: string;
  /** The first is also what mailboxes show beside the subject: it must hold no code. */
  readonly paragraphs: readonly string[];
  /** Shown large, to be read or copied. */
  readonly code?: string;
  readonly action?: MailLink;
  /** What, where from and when. */
  readonly details: readonly MailDetail[];
  /** What to do for readers who did not cause the mail. */
  readonly caution?: { readonly text: string; readonly action?: MailLink };
  /** Why it was sent to this reader. */
  readonly reason: string;
  /** Where mails of this kind are switched off; none for what concerns security. */
  readonly optOut?: MailLink;
}

/** What stands on every mail of this installation. */
export interface Letterhead {
  readonly operator: { readonly name: string; readonly address: string; readonly email: string };
  /** Without a slash at the end. */
  readonly consoleOrigin: () => string;
}

export function resolveLink(link: MailLink, letterhead: Letterhead): string {
  if (typeof link.to !== "string") return `mailto:${letterhead.operator.email}`;
  return link.to.startsWith("/") ? `${letterhead.consoleOrigin()}${link.to}` : link.to;
}
