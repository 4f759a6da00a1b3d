import type { Locale } from "@palisade/contract/texts/render";
import { escapeHtml } from "#src/platform/mail/layout.ts";
import { developmentPage, mailFrame, mailText } from "./development-page.ts";

export interface MailboxMail {
  readonly id: string;
  readonly reply_to: string | null;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly created_at: string;
}

/** More would make a page of megabytes; `/dev/mail.json` has all that are kept. */
const shownMax = 50;

const texts = {
  en: {
    title: "Mailbox",
    lead: "What the product sends stays here as long as no mail server is set.",
    empty: "No mail yet. Register an account, and its confirmation code is here.",
    text: "Plain text",
    to: "To",
    answer: "Your answer",
    send: "Answer as its receiver",
  },
  ru: {
    title: "Почта",
    lead: "Письма продукта остаются здесь, пока не задан почтовый сервер.",
    empty: "Писем пока нет. Зарегистрируйте аккаунт, и код подтверждения будет здесь.",
    text: "Обычный текст",
    to: "Кому",
    answer: "Ваш ответ",
    send: "Ответить от имени получателя",
  },
} as const satisfies Record<Locale, unknown>;

/** The mails of the development mailbox, newest first. */
export function renderMailbox(
  locale: Locale,
  mails: readonly MailboxMail[],
  { takesAnswers }: { readonly takesAnswers: boolean },
): string {
  const words = texts[locale];
  const time = new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, {
    dateStyle: "medium",
    timeStyle: "medium",
    timeZone: "UTC",
  });
  const items = mails.slice(0, shownMax).map(
    (mail, position) => `<details class="panel mail"${position === 0 ? " open" : ""}>
<summary><h2>${escapeHtml(mail.subject)}</h2><time datetime="${escapeHtml(mail.created_at)}">${time.format(new Date(mail.created_at))} UTC</time><span>${words.to} ${escapeHtml(mail.to)}</span></summary>
${mailFrame(mail.subject, mail.html)}
${mailText(words.text, mail.text)}
${takesAnswers && mail.reply_to !== null ? answerForm(locale, mail) : ""}
</details>`,
  );
  const list = items.length === 0 ? `<p class="panel empty">${words.empty}</p>` : items.join("\n");
  return developmentPage(
    locale,
    "mailbox",
    `<h1>${words.title}</h1><p class="lead">${words.lead}</p>\n${list}`,
  );
}

function answerForm(locale: Locale, { id, subject }: MailboxMail): string {
  const { answer, send } = texts[locale];
  return `<form class="answer" method="post" action="/dev/mail/answer"><input type="hidden" name="id" value="${escapeHtml(id)}"><textarea name="text" rows="3" required maxlength="10000" aria-label="${answer}: ${escapeHtml(subject)}" placeholder="${answer}"></textarea><button>${send}</button></form>`;
}
