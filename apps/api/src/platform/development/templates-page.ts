import { locales, type Locale } from "@palisade/contract/texts/render";
import { escapeHtml, layoutMail } from "#src/platform/mail/layout.ts";
import type { Letterhead } from "#src/platform/mail/mail-content.ts";
import type { MailTemplate } from "#src/platform/mail/mailer.ts";
import { developmentPage, mailFrame, mailText } from "./development-page.ts";

const texts = {
  en: {
    title: "Mail templates",
    lead: "Every mail of the product in both languages, with invented values.",
    text: "Plain text",
    subject: "Subject",
  },
  ru: {
    title: "Шаблоны писем",
    lead: "Все письма продукта на обоих языках, значения вымышлены.",
    text: "Обычный текст",
    subject: "Тема",
  },
} as const satisfies Record<Locale, unknown>;

export function renderTemplates(
  locale: Locale,
  templates: Readonly<Record<string, MailTemplate>>,
  letterhead: Letterhead,
): string {
  const words = texts[locale];
  const sections = Object.entries(templates).map(([name, template]) => {
    const mails = locales.map((language) => {
      const mail = layoutMail(language, template.render(language, template.sample), letterhead);
      return `<div class="panel"><p class="caption" lang="${language}"><span>${words.subject}:</span> ${escapeHtml(mail.subject)}</p>
${mailFrame(`${name} (${language})`, mail.html)}
${mailText(`${words.text} (${language})`, mail.text)}</div>`;
    });
    return `<section><h2><code>${escapeHtml(name)}</code></h2><div class="languages">${mails.join("\n")}</div></section>`;
  });
  return developmentPage(
    locale,
    "templates",
    `<h1>${words.title}</h1><p class="lead">${words.lead}</p>\n${sections.join("\n")}`,
  );
}
