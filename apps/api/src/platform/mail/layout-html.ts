import type { Locale } from "@palisade/contract/texts/render";
import { escapeHtml } from "./escape-html.ts";
import { layoutTexts, operatorLine } from "./layout-texts.ts";
import {
  resolveLink,
  type Letterhead,
  type MailContent,
  type MailDetail,
  type MailLink,
} from "./mail-content.ts";
import { styled, mailStyle, monoFont, sansFont } from "./mail-styles.ts";

/**
 * Tables and inline styles, since mail programs know little else; the style sheet only adds what may
 * be missing: the dark theme and narrow screens. Loads nothing from anywhere.
 */
export function layoutHtml(locale: Locale, content: MailContent, letterhead: Letterhead): string {
  return `<!doctype html>
<html lang="${locale}" dir="ltr" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="x-apple-disable-message-reformatting">
<title>${escapeHtml(content.subject)}</title>
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><style>td,th,p,a,h1,h2{font-family:'Segoe UI',Arial,sans-serif !important}</style><![endif]-->
${mailStyle}
</head>
<body ${styled("page", `margin:0;padding:0;font-family:${sansFont};-webkit-text-size-adjust:100%`)}>
${preheader(content)}${replyMarker(content)}
<div role="article" aria-roledescription="email" aria-label="${escapeHtml(content.heading)}" lang="${locale}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${styled("page")}><tr><td class="gutter" align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px">
<tr><td align="left" style="padding:0 4px 16px">${brand}</td></tr>
<tr><td align="left" ${styled("panel", "padding:32px;border:1px solid;border-radius:10px", "inside")}>
<h1 ${styled("text", "margin:0 0 12px;font-size:22px;line-height:1.3;font-weight:640;text-wrap:balance;overflow-wrap:anywhere")}>${escapeHtml(content.heading)}</h1>
${content.paragraphs.map(paragraph).join("\n")}
${content.quote === undefined ? "" : quoteBlock(content.quote)}
${content.code === undefined ? "" : codeBlock(content.code)}
${content.action === undefined ? "" : button(locale, content.action, letterhead)}
${detailTable(content.details)}
${cautionBlock(locale, content, letterhead)}
</td></tr>
<tr><td align="left" style="padding:20px 4px 0">${foot(locale, content, letterhead)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`;
}

/** Shown beside the subject in lists; the blanks keep what follows out of it. */
function preheader(content: MailContent): string {
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all" aria-hidden="true">${escapeHtml(content.paragraphs[0] ?? "")}${"&#847;&zwnj;&nbsp;".repeat(60)}</div>`;
}

/**
 * The logo's three stakes, drawn with table cells: pictures would have to be loaded, and mail
 * programs remove SVG. In programs that draw no triangles from borders, the stakes are blunt.
 */
const tip = `<td width="6" height="3" style="width:6px;height:3px;font-size:0;line-height:0"><!--[if !mso]><!--><div ${styled("tip", "width:0;height:0;font-size:0;line-height:0;border-left:3px solid transparent;border-right:3px solid transparent;border-bottom:3px solid")}></div><!--<![endif]--></td>`;
const pale = `<td width="6" height="17" ${styled("pale", "width:6px;height:17px;font-size:0;line-height:0")}>&nbsp;</td>`;
const gap = `<td rowspan="2" width="3" style="width:3px;font-size:0;line-height:0">&nbsp;</td>`;
const name = `<td rowspan="2" ${styled("text", "padding-left:10px;font-size:16px;line-height:20px;font-weight:640")}>Palisade</td>`;
const brand = `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>${[tip, tip, tip].join(gap)}${name}</tr><tr>${pale}${pale}${pale}</tr></table>`;

function paragraph(text: string): string {
  return `<p ${styled("text", "margin:0 0 16px;font-size:15px;line-height:1.6;overflow-wrap:anywhere")}>${escapeHtml(text)}</p>`;
}

/** Mail programs quote the mail from here on, so that what is above is the answer. */
function replyMarker({ reply }: MailContent): string {
  if (reply === undefined) return "";
  return `\n<div ${styled("dim", "padding:12px 16px 0;font-size:12px;line-height:1.4;text-align:center")}>${escapeHtml(reply.marker)}</div>`;
}

function quoteBlock({ by, text }: NonNullable<MailContent["quote"]>): string {
  // Line breaks as tags: not every program knows white-space.
  const lines = escapeHtml(text).replaceAll(/\r?\n/g, "<br>\n");
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 20px"><tr><td align="left" ${styled("line", "padding:2px 0 2px 16px;border-left:3px solid")}><p ${styled("dim", "margin:0 0 6px;font-size:13px;line-height:1.5")}>${escapeHtml(by)}</p><div ${styled("text", "font-size:15px;line-height:1.6;overflow-wrap:anywhere;word-break:break-word")}>${lines}</div></td></tr></table>`;
}

function codeBlock(code: string): string {
  // The padding makes up for the space after the last character.
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td align="center" ${styled("code", `padding:18px 8px 18px 13px;border:1px solid;border-radius:8px;font-family:${monoFont};font-size:28px;line-height:1.2;font-weight:600;letter-spacing:5px`)}>${escapeHtml(code)}</td></tr></table>`;
}

function button(locale: Locale, action: MailLink, letterhead: Letterhead): string {
  const url = escapeHtml(resolveLink(action, letterhead));
  // The cell is painted too: where padding of links is not known, it still is a button.
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px"><tr><td align="center" ${styled("button", "border-radius:8px;mso-padding-alt:12px 22px")}><a href="${url}" ${styled("button", "display:inline-block;padding:11px 21px;border:1px solid;border-radius:8px;font-size:15px;line-height:1.3;font-weight:600;text-decoration:none")}>${escapeHtml(action.label)}</a></td></tr></table>
<p ${styled("dim", "margin:0 0 20px;font-size:13px;line-height:1.5")}>${layoutTexts[locale].writtenOut}<br><a href="${url}" ${styled("link", `font-family:${monoFont};font-size:12.5px;word-break:break-all`)}>${url}</a></p>`;
}

function detailTable(facts: readonly MailDetail[]): string {
  if (facts.length === 0) return "";
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th scope="row" align="left" valign="top" width="30%" ${styled("line", "padding:9px 12px 9px 0;border-top:1px solid;font-size:13px;line-height:1.6;font-weight:400")}><span ${styled("dim")}>${escapeHtml(label)}</span></th><td align="left" valign="top" ${styled("line", "padding:9px 0;border-top:1px solid;font-size:14px;line-height:1.45;overflow-wrap:anywhere;word-break:break-word")}><span ${styled("text")}>${escapeHtml(value)}</span></td></tr>`,
  );
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 0;border-collapse:collapse">${rows.join("")}</table>`;
}

function cautionBlock(locale: Locale, content: MailContent, letterhead: Letterhead): string {
  const { caution } = content;
  if (caution === undefined) return "";
  const link =
    caution.action === undefined
      ? ""
      : ` ${textLink(caution.action, letterhead, "font-weight:600")}`;
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0 0"><tr><td align="left" ${styled("caution", "padding:14px 16px;border:1px solid;border-left-width:3px;border-radius:8px;font-size:14px;line-height:1.55")}><h2 ${styled("warn", "margin:0 0 2px;font-size:14px;line-height:1.55;font-weight:640")}>${layoutTexts[locale].notYou}</h2>${escapeHtml(caution.text)}${link}</td></tr></table>`;
}

function foot(locale: Locale, content: MailContent, letterhead: Letterhead): string {
  const { operator } = letterhead;
  const optOut = content.optOut === undefined ? "" : ` ${textLink(content.optOut, letterhead)}`;
  const contact: MailLink = { label: operator.email, to: { operator: true } };
  const line = (html: string) =>
    `<p ${styled("dim", "margin:0 0 8px;font-size:12.5px;line-height:1.55;overflow-wrap:anywhere")}>${html}</p>`;
  return [
    line(`${escapeHtml(content.reason)}${optOut}`),
    line(
      `${escapeHtml(operatorLine(locale, operator))} ${layoutTexts[locale].contact} ${textLink(contact, letterhead)}`,
    ),
  ].join("\n");
}

function textLink(link: MailLink, letterhead: Letterhead, style = ""): string {
  const url = escapeHtml(resolveLink(link, letterhead));
  return `<a href="${url}" ${styled("link", style)}>${escapeHtml(link.label)}</a>`;
}
