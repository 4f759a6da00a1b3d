import type { Locale } from "@palisade/contract/texts/render";
import { escapeHtml } from "#src/platform/mail/layout.ts";

/** The product's tokens, for pages that load nothing. Dark first, as everywhere. */
const style = `
:root { color-scheme: dark light; --bg: #0a0c0f; --panel: #101419; --raised: #151a21; --line: #212932;
  --text: #e8edf2; --dim: #9aa6b2; --accent: #7aa2ff; --amber: #f2a93b; }
@media (prefers-color-scheme: light) { :root { --bg: #f6f7f9; --panel: #ffffff; --raised: #f1f3f6; --line: #dfe4ea;
  --text: #12181f; --dim: #4d5966; --accent: #2f5fe0; --amber: #8a5200; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text);
  font: 14px/1.5 "Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); text-underline-offset: 2px; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 16px; padding: 14px 28px;
  border-bottom: 1px solid var(--line); background: var(--panel); font-weight: 600; }
header svg { width: 20px; height: 20px; color: var(--accent); flex: none; }
.brand { display: inline-flex; align-items: center; gap: 10px; }
.badge { padding: 2px 8px; border: 1px solid var(--amber); border-radius: 7px; color: var(--amber); font-size: 12.5px; }
nav { display: flex; gap: 16px; margin-left: auto; font-weight: 400; }
nav [aria-current] { color: var(--text); text-decoration: none; font-weight: 600; }
main { max-width: 1240px; margin: 0 auto; padding: 28px; }
h1 { margin: 0 0 4px; font-size: 22px; font-weight: 640; }
h2 { margin: 0; font-size: 15px; font-weight: 600; overflow-wrap: anywhere; }
.lead { margin: 0 0 20px; color: var(--dim); }
.panel { border: 1px solid var(--line); border-radius: 10px; background: var(--panel); overflow: hidden; }
.panel + .panel, section + section { margin-top: 14px; }
summary { cursor: pointer; padding: 12px 16px; }
.mail > summary { display: grid; grid-template-columns: 1fr auto; gap: 2px 16px; }
.mail > summary::-webkit-details-marker { display: none; }
.mail > summary:hover { background: var(--raised); }
.mail > summary span { color: var(--dim); font-size: 13px; overflow-wrap: anywhere; }
time { color: var(--dim); font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
iframe { display: block; width: 100%; height: 780px; border: 0; border-top: 1px solid var(--line); color-scheme: inherit; }
.text { border-top: 1px solid var(--line); }
.text > summary { color: var(--dim); font-size: 13px; }
pre { margin: 0; padding: 0 16px 16px; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 12.5px/1.6 "JetBrains Mono", ui-monospace, Menlo, Consolas, monospace; }
.answer { display: grid; gap: 8px; padding: 12px 16px 16px; border-top: 1px solid var(--line); }
.answer textarea { width: 100%; padding: 8px 10px; border: 1px solid var(--line); border-radius: 7px; background: var(--bg); color: var(--text); font: inherit; resize: vertical; }
.answer button { justify-self: start; padding: 6px 14px; border: 1px solid var(--line); border-radius: 7px; background: var(--raised); color: var(--text); font: inherit; cursor: pointer; }
.empty { padding: 40px 24px; text-align: center; color: var(--dim); }
.languages { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; margin-top: 10px; }
.languages .panel { margin: 0; }
.caption { margin: 0; padding: 10px 16px; font-size: 13px; overflow-wrap: anywhere; }
.caption span { color: var(--dim); }
section + section { margin-top: 32px; }
code { color: var(--dim); font: 12.5px "JetBrains Mono", ui-monospace, Menlo, Consolas, monospace; font-weight: 400; }
@media (max-width: 760px) { main { padding: 20px 16px; } header { padding: 14px 16px; } nav { margin-left: 0; }
  .languages { grid-template-columns: 1fr; } .mail > summary { grid-template-columns: 1fr; } }
`;

const texts = {
  en: { mailbox: "Mailbox", templates: "Templates", badge: "Development", pages: "Pages" },
  ru: { mailbox: "Почта", templates: "Шаблоны", badge: "Разработка", pages: "Страницы" },
} as const satisfies Record<Locale, unknown>;

export const developmentPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join("; ");

/** A page of the development tools; `content` is HTML. */
export function developmentPage(
  locale: Locale,
  current: "mailbox" | "templates",
  content: string,
): string {
  const words = texts[locale];
  const link = (name: "mailbox" | "templates", href: string) =>
    `<a href="${href}"${name === current ? ' aria-current="page"' : ""}>${words[name]}</a>`;
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${words[current]} · Palisade</title><style>${style}</style></head>
<body><header><span class="brand"><svg viewBox="0 0 20 20" fill="currentColor" aria-hidden="true"><path d="M1.5 4.6 3.75 2.2 6 4.6v13.9H1.5zM7.75 4.6 10 2.2l2.25 2.4v13.9h-4.5zM14 4.6l2.25-2.4 2.25 2.4v13.9H14z"/></svg>Palisade</span><span class="badge">${words.badge}</span><nav aria-label="${words.pages}">${link("mailbox", "/dev/mail")}${link("templates", "/dev/mail/templates")}</nav></header>
<main>
${content}
</main></body>
</html>
`;
}

/**
 * A mail as its reader sees it, in a frame that runs no script and has no origin. Its links open in
 * a new tab, because the console refuses to be framed.
 */
export function mailFrame(title: string, html: string): string {
  const shown = html.replace("<head>", '<head><base target="_blank">');
  return `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="${escapeHtml(title)}" srcdoc="${escapeHtml(shown)}"></iframe>`;
}

export function mailText(label: string, text: string): string {
  return `<details class="text"><summary>${label}</summary><pre>${escapeHtml(text)}</pre></details>`;
}
