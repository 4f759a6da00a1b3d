import type { Locale } from "@palisade/contract/texts/locale";
import { escapeHtml } from "#src/platform/mail/layout.ts";
import { statusPaths } from "../status-paths.ts";
import { statusTexts } from "./status-texts.ts";

export interface SubscribeState {
  readonly mail?: { readonly value: string; readonly error: string };
  readonly webhook?: { readonly value: string; readonly error: string };
}

/** Both forms work without a script. */
export function renderSubscribe(locale: Locale, state: SubscribeState): string {
  const text = statusTexts[locale];
  return `<section id="subscribe"><h2>${text.subscribe}</h2><div class="panel subscribe"><p>${text.subscribeLead}</p>
<div class="ways">${renderWay(locale, "mail", state.mail)}${renderWay(locale, "webhook", state.webhook)}</div>
<div class="feeds"><a href="${statusPaths.feed}?lang=${locale}">${text.feed}</a><a href="${statusPaths.json}">${text.json}</a></div></div></section>`;
}

const inputs = {
  mail: `type="email" autocomplete="email" maxlength="254" placeholder="name@example.com"`,
  webhook: `type="url" autocomplete="off" maxlength="2048" placeholder="https://example.com/hook"`,
} as const;

function renderWay(
  locale: Locale,
  kind: "mail" | "webhook",
  wrong: { readonly value: string; readonly error: string } | undefined,
): string {
  const text = statusTexts[locale];
  const described = wrong === undefined ? `${kind}-hint` : `${kind}-error`;
  const attributes =
    wrong === undefined ? "" : ` aria-invalid="true" value="${escapeHtml(wrong.value)}"`;
  const below =
    wrong === undefined
      ? kind === "webhook"
        ? `<p class="hint" id="webhook-hint">${text.webhookHint}</p>`
        : ""
      : `<p class="wrong" id="${kind}-error" role="alert">${escapeHtml(wrong.error)}</p>`;
  const description = below === "" ? "" : ` aria-describedby="${described}"`;
  return `<form method="post" action="${statusPaths.subscriptions}"><input type="hidden" name="kind" value="${kind}"><input type="hidden" name="lang" value="${locale}">
<label for="${kind}-address">${text[kind]}</label><div class="field"><input id="${kind}-address" name="address" required ${inputs[kind]}${description}${attributes}><button>${text.mailButton}<span class="hidden"> (${text[kind]})</span></button></div>${below}</form>`;
}

/** The page of the link in mails and webhooks. Its script takes the token out of the fragment. */
export function renderManage(locale: Locale): string {
  const text = statusTexts[locale];
  return `<form method="post" action="${statusPaths.subscription}"><input type="hidden" name="lang" value="${locale}">
<div id="typed"><label for="token">${text.token}</label><input id="token" name="token" required maxlength="200" autocomplete="off" spellcheck="false" aria-describedby="token-hint"><p class="hint" id="token-hint">${text.tokenHint}</p></div>
<button name="action" value="confirm">${text.confirm}</button><button class="second" name="action" value="unsubscribe">${text.unsubscribe}</button></form>`;
}

export const manageScript = `"use strict";
const token = new URLSearchParams(location.hash.slice(1)).get("token");
if (token) {
  document.getElementById("token").value = token;
  document.getElementById("typed").hidden = true;
  history.replaceState(null, "", location.pathname + location.search);
}
`;
