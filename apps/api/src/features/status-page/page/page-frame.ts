import { consolePaths } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/locale";
import { escapeHtml } from "#src/platform/mail/layout.ts";
import { statusPaths } from "../status-paths.ts";
import type { StatusStyle } from "./status-style.ts";
import { statusTexts } from "./status-texts.ts";

export interface PageView {
  readonly locale: Locale;
  /** Undefined: as the browser prefers. */
  readonly theme: "dark" | "light" | undefined;
  readonly style: StatusStyle;
}

export interface PageContent {
  readonly title: string;
  /** HTML. */
  readonly content: string;
  /** The path that the switches lead to. */
  readonly path: string;
  readonly script?: string;
  readonly isIndexed?: boolean;
}

const logo = `<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" fill="currentColor"><path d="M1.5 4.6 3.75 2.2 6 4.6v13.9H1.5zM7.75 4.6 10 2.2l2.25 2.4v13.9h-4.5zM14 4.6l2.25-2.4 2.25 2.4v13.9H14z"/></svg>`;

/** Header and footer around a page of the status site. */
export function renderFrame(view: PageView, page: PageContent): string {
  const { locale, theme, style } = view;
  const text = statusTexts[locale];
  const attribute = theme === undefined ? "" : ` data-theme="${theme}"`;
  const title = page.title === text.title ? page.title : `${page.title} · ${text.title}`;
  return `<!doctype html>
<html lang="${locale}"${attribute}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Palisade</title>
<meta name="description" content="${escapeHtml(text.description)}">${page.isIndexed === true ? "" : `<meta name="robots" content="noindex">`}
<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="alternate" type="application/atom+xml" title="Palisade ${text.title}" href="${statusPaths.feed}?lang=${locale}">
<style>${style.sheet}</style>${page.script === undefined ? "" : `<script src="${page.script}" defer></script>`}</head>
<body><a class="skip" href="#content">${text.skip}</a>
<header class="top"><div class="wrap"><a class="brand" href="${statusPaths.page}${queryOf(locale, theme)}">${logo}Palisade <span>${text.title}</span></a>
<nav class="switches" aria-label="${text.title}">${renderSwitches(view, page.path)}</nav></div></header>
<div class="wrap"><main id="content">${page.content}</main></div>
<footer><div class="wrap"><a href="${consolePaths.landing}">${text.home}</a><a href="${consolePaths.dashboard}">${text.cabinet}</a><a href="${consolePaths.terms}">${text.terms}</a><a href="${consolePaths.privacy}">${text.privacy}</a><span>${text.utc}</span></div></footer></body>
</html>
`;
}

/** A page of a few words, such as the answer to a form. */
export function renderCard(
  view: PageView,
  card: {
    readonly title: string;
    readonly lead: string;
    readonly more?: string;
    readonly script?: string;
    readonly path?: string;
  },
): string {
  const { locale, theme } = view;
  const content = `<section class="panel card"><h1>${escapeHtml(card.title)}</h1>
<p>${escapeHtml(card.lead)}</p>
${card.more ?? `<div class="actions"><a class="button second" href="${statusPaths.page}${queryOf(locale, theme)}">${statusTexts[locale].back}</a></div>`}</section>`;
  return renderFrame(view, {
    title: card.title,
    content,
    path: card.path ?? statusPaths.page,
    ...(card.script !== undefined && { script: card.script }),
  });
}

function renderSwitches({ locale, theme }: PageView, path: string): string {
  const text = statusTexts[locale];
  const other = locale === "en" ? "ru" : "en";
  const label = locale === "en" ? "EN, переключить на русский" : "RU, switch to English";
  const link = (query: string, name: string, words: string) =>
    `<a href="${path}${query}" aria-label="${name}">${words}</a>`;
  const themes = (["dark", "light"] as const)
    .filter((each) => each !== theme)
    .map((each) => {
      const name = each === "light" ? text.toLight : text.toDark;
      return link(queryOf(locale, each), name, each === "light" ? sun : moon);
    });
  return [...themes, link(queryOf(other, theme), label, locale.toUpperCase())].join("");
}

const icon = (paths: string) =>
  `<svg width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;
const sun = icon(
  `<path d="M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M3 12h1m8-9v1m8 8h1m-9 8v1M5.6 5.6l.7.7m12.1-.7l-.7.7m0 11.4l.7.7m-12.1-.7l-.7.7"/>`,
);
const moon = icon(`<path d="M12 3h.4a7.5 7.5 0 0 0 7.9 12.4A9 9 0 1 1 12 3"/>`);

function queryOf(locale: Locale, theme: PageView["theme"]): string {
  return theme === undefined ? `?lang=${locale}` : `?lang=${locale}&amp;theme=${theme}`;
}
