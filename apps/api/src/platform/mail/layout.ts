import type { RenderedMail } from "./mailer.ts";

export interface MailParts {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Shown large, to be read or copied. */
  readonly code?: string;
  /** Shown as a button, and written out for programs that show none. */
  readonly link?: { readonly label: string; readonly url: string };
  readonly footer: string;
}

/** One plain mail as text and HTML. Inline styles and a table: mail programs know little else. */
export function layoutMail(language: string, parts: MailParts): RenderedMail {
  const text = [
    parts.heading,
    ...(parts.code === undefined ? [] : [parts.code]),
    ...(parts.link === undefined ? [] : [parts.link.url]),
    ...parts.paragraphs,
    `-- \n${parts.footer}`,
  ].join("\n\n");
  return { subject: parts.subject, text: `${text}\n`, html: html(language, parts) };
}

function html(language: string, parts: MailParts): string {
  const code =
    parts.code === undefined
      ? ""
      : `<p style="margin:24px 0;padding:16px;background:#eef2fd;border-radius:8px;text-align:center;font:600 28px/1.2 ui-monospace,Consolas,monospace;letter-spacing:4px">${escapeHtml(parts.code)}</p>`;
  const link =
    parts.link === undefined
      ? ""
      : `<p style="margin:24px 0"><a href="${escapeHtml(parts.link.url)}" style="display:inline-block;padding:12px 20px;background:#2f5fe0;border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(parts.link.label)}</a></p>`;
  const paragraphs = parts.paragraphs
    .map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`)
    .join("");
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(parts.subject)}</title>
</head>
<body style="margin:0;background:#f6f7f9;color:#12181f;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="480" cellpadding="0" cellspacing="0" style="max-width:100%;background:#ffffff;border-radius:12px">
<tr><td style="padding:32px">
<p style="margin:0 0 24px;font-weight:700;color:#2f5fe0">Palisade</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(parts.heading)}</h1>
${code}${link}${paragraphs}
<p style="margin:24px 0 0;color:#5b676a;font-size:13px">${escapeHtml(parts.footer)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
