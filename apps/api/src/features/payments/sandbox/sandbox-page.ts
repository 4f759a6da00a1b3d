import { consolePaths } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/render";
import { readCents } from "#src/features/ledger/money.service.ts";
import { escapeHtml } from "#src/platform/mail/layout.ts";
import { stateOf, type CheckoutState } from "./sandbox.policy.ts";
import type { SandboxCheckout } from "./sandbox.repository.ts";
import { sandboxStyle } from "./sandbox-style.ts";
import { sandboxTexts } from "./sandbox-texts.ts";

/** The page that the browser returns to after the checkout. */
export function returnPathOf(checkout: SandboxCheckout, state: CheckoutState): string {
  return state === "paid" ? checkout.success_path : checkout.cancel_path;
}

/** @param token proves later that the form comes from this page */
export function renderCheckout(
  checkout: SandboxCheckout,
  view: { readonly locale: Locale; readonly now: Date; readonly token: string },
): string {
  const { locale, now, token } = view;
  const texts = sandboxTexts[locale];
  const state = stateOf(checkout, now);
  const amount = formatEuros(readCents(checkout.amount_cents), locale);
  const action =
    state === "open"
      ? `<form method="post">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button class="primary" name="action" value="pay">${escapeHtml(texts.pay.replace("{amount}", amount))}</button>
<button name="action" value="cancel">${escapeHtml(texts.cancel)}</button>
</form>`
      : `<p class="outcome${state === "paid" ? " paid" : ""}">${escapeHtml(texts[state])}</p>
<a class="button primary" href="${escapeHtml(returnPathOf(checkout, state))}">${escapeHtml(texts.back)}</a>`;
  return page(
    locale,
    texts.title,
    `<p class="amount"><span>${escapeHtml(amount)}</span></p>
<dl>
<div><dt>${escapeHtml(texts.to)}</dt><dd>Palisade</dd></div>
<div><dt>${escapeHtml(texts.method)}</dt><dd>${escapeHtml(texts.methods[checkout.payment_method])}</dd></div>
</dl>
${action}`,
  );
}

/** The page for an unknown address, or for a form that another page sent. */
export function renderRefusal(locale: Locale, kind: "unknown" | "refused"): string {
  const texts = sandboxTexts[locale];
  const title = kind === "unknown" ? texts.unknownTitle : texts.title;
  return page(
    locale,
    title,
    `<p class="outcome">${escapeHtml(texts[kind])}</p>
<a class="button primary" href="${consolePaths.billing}">${escapeHtml(texts.back)}</a>`,
  );
}

function page(locale: Locale, title: string, content: string): string {
  const texts = sandboxTexts[locale];
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · Palisade</title><style>${sandboxStyle}</style></head>
<body><main>
<header><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" aria-hidden="true"><path d="M4 20V8l2-3 2 3v12zM10 20V6l2-3 2 3v14zM16 20V8l2-3 2 3v12z"/></svg>Palisade<span class="badge">${escapeHtml(texts.badge)}</span></header>
<p class="notice">${escapeHtml(texts.notice)}</p>
<section><h1>${escapeHtml(title)}</h1>
${content}
</section></main></body>
</html>
`;
}

function formatEuros(cents: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(cents / 100);
}
