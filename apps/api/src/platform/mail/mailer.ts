import type { Locale } from "@palisade/contract/texts/render";
import type { Trx } from "#src/platform/database/db.ts";

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export type MailValues = Readonly<Record<string, string | number>>;

/** Renders a mail in a language. Values are escaped by the template. */
export type MailTemplate = (locale: Locale, values: MailValues) => RenderedMail;

export interface OutgoingMail {
  readonly to: string;
  /** Name of a registered template. */
  readonly template: string;
  readonly locale: Locale;
  readonly values: MailValues;
}

/** The outbox: a mail leaves only if, and when, the transaction commits. */
export interface Mailer {
  enqueue(trx: Trx, mail: OutgoingMail): Promise<void>;
  /** The same work for a mail that does not exist, where its absence must not show. */
  enqueueNothing(trx: Trx): Promise<void>;
}
