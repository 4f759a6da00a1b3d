import type { Locale } from "@palisade/contract/texts/render";
import { layoutTexts, operatorLine } from "./layout-texts.ts";
import { resolveLink, type Letterhead, type MailContent, type MailLink } from "./mail-content.ts";

export function layoutText(locale: Locale, content: MailContent, letterhead: Letterhead): string {
  const texts = layoutTexts[locale];
  const { operator } = letterhead;
  const written = (link: MailLink | undefined) =>
    link === undefined ? [] : [`${link.label}:\n${resolveLink(link, letterhead)}`];
  const { caution } = content;
  const facts = content.details.map(({ label, value }) => `${label}: ${value}`);
  const blocks = [
    ...(content.reply === undefined ? [] : [content.reply.marker]),
    content.heading,
    ...content.paragraphs,
    ...(content.quote === undefined ? [] : [`${content.quote.by}:\n\n${content.quote.text}`]),
    // Alone on its line, so that it is marked and copied by a double click.
    ...(content.code === undefined ? [] : [content.code]),
    ...written(content.action),
    ...(facts.length === 0 ? [] : [facts.join("\n")]),
    ...(caution === undefined ? [] : [`${texts.notYou}\n${caution.text}`]),
    ...written(caution?.action),
    [
      "-- ",
      content.reason,
      ...written(content.optOut),
      operatorLine(locale, operator),
      `${texts.contact} ${operator.email}`,
    ].join("\n"),
  ];
  return `${blocks.join("\n\n")}\n`;
}
