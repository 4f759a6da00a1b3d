import type { Locale } from "@palisade/contract/texts/render";
import type { Trx } from "#src/platform/database/db.ts";
import type { MailContent, MailThread } from "./mail-content.ts";

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The page that switches mails of this kind off; mail programs show it beside the sender. */
  readonly optOutUrl?: string;
  /** Instead of the operator's. */
  readonly replyTo?: string;
  readonly thread?: MailThread;
}

export type MailValues = Readonly<Record<string, string | number>>;

export interface MailTemplate {
  /** Renders the values, which the layout escapes. Jobs of an older version may lack some. */
  render(locale: Locale, values: MailValues): MailContent;
  /** Sample values for the preview and tests. */
  readonly sample: MailValues;
}

export interface OutgoingMail {
  readonly to: string;
  /** Name of a registered template. */
  readonly template: string;
  readonly locale: Locale;
  readonly values: MailValues;
  /** The mail is not sent after this moment, when its code or link is void. */
  readonly usefulUntil?: Date;
}

/** The outbox: a mail leaves only if, and when, the transaction commits. */
export interface Mailer {
  enqueue(trx: Trx, mail: OutgoingMail): Promise<void>;
  /** Does the same work without sending a mail, so that its absence does not show. */
  enqueueNothing(trx: Trx): Promise<void>;
}
