import type { Locale } from "@palisade/contract/texts/render";
import type { Trx } from "#src/platform/database/db.ts";
import type { MailContent } from "./mail-content.ts";

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where mails of this kind are switched off; mail programs show it beside the sender. */
  readonly optOutUrl?: string;
}

export type MailValues = Readonly<Record<string, string | number>>;

export interface MailTemplate {
  /** What it says with these values, which the layout escapes. Those of older jobs may lack some. */
  render(locale: Locale, values: MailValues): MailContent;
  /** Values to look at it with. */
  readonly sample: MailValues;
}

export interface OutgoingMail {
  readonly to: string;
  /** Name of a registered template. */
  readonly template: string;
  readonly locale: Locale;
  readonly values: MailValues;
  /** Not sent after this moment: what it brings is void by then. */
  readonly usefulUntil?: Date;
}

/** The outbox: a mail leaves only if, and when, the transaction commits. */
export interface Mailer {
  enqueue(trx: Trx, mail: OutgoingMail): Promise<void>;
  /** The same work for a mail that does not exist, where its absence must not show. */
  enqueueNothing(trx: Trx): Promise<void>;
}
