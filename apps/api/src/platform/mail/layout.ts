import type { Locale } from "@palisade/contract/texts/render";
import { layoutHtml } from "./layout-html.ts";
import { layoutText } from "./layout-text.ts";
import { resolveLink, type Letterhead, type MailContent } from "./mail-content.ts";
import type { RenderedMail } from "./mailer.ts";

export { escapeHtml } from "./escape-html.ts";

/** A mail as text and HTML, both with every fact, code and link. */
export function layoutMail(
  locale: Locale,
  content: MailContent,
  letterhead: Letterhead,
): RenderedMail {
  return {
    subject: content.subject,
    text: layoutText(locale, content, letterhead),
    html: layoutHtml(locale, content, letterhead),
    ...(content.reply && { replyTo: content.reply.address }),
    ...(content.thread && { thread: content.thread }),
    ...(content.optOut && { optOutUrl: resolveLink(content.optOut, letterhead) }),
  };
}
