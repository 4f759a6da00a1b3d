import Bowser from "bowser";
import type { Locale } from "@palisade/contract/texts/render";
import { renderText } from "@palisade/contract/texts/render";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import type { MailDetail } from "./mail-content.ts";
import type { MailValues } from "./mailer.ts";

const labels = {
  en: {
    account: "Account",
    email: "New e-mail",
    name: "Key",
    scope: "Rights",
    expiresAt: "Expires",
    validUntil: "Valid until",
    device: "Device",
    ip: "IP address",
    at: "Time",
  },
  ru: {
    account: "Аккаунт",
    email: "Новый адрес",
    name: "Ключ",
    scope: "Права",
    expiresAt: "Истекает",
    validUntil: "Истекает",
    device: "Устройство",
    ip: "IP-адрес",
    at: "Время",
  },
} as const satisfies Record<Locale, unknown>;
type DetailName = keyof (typeof labels)["en"];

const scopes = {
  en: { read: "Read only", write: "Read and write" },
  ru: { read: "Только чтение", write: "Чтение и изменение" },
} as const satisfies Record<Locale, unknown>;

/** When, and from which device and address, a mail was caused. */
export function causeOf(ctx: Pick<RequestContext, "now" | "ip" | "device">): MailValues {
  return { ...causeOfUnproven(ctx), ip: ctx.ip };
}

/**
 * The same for a mail to an address that is not proved to be the caller's: a caller who mistypes
 * theirs must not show a stranger their IP address.
 */
export function causeOfUnproven(ctx: Pick<RequestContext, "now" | "device">): MailValues {
  return { at: ctx.now.toISOString(), device: ctx.device };
}

/** The named details that the values hold, in this order, in words. */
export function detailsOf(
  locale: Locale,
  values: MailValues,
  names: readonly DetailName[],
): readonly MailDetail[] {
  return names.flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    return [{ label: labels[locale][name], value: formatDetail(locale, name, String(value)) }];
  });
}

function formatDetail(locale: Locale, name: DetailName, value: string): string {
  if (name === "device") return mailDevice(value, locale);
  if (name === "at" || name === "expiresAt" || name === "validUntil") return time(value, locale);
  if (name === "scope") return scopes[locale][value === "write" ? "write" : "read"];
  return value;
}

/** In UTC: a mail is read wherever its reader is by then. */
function time(iso: string, locale: Locale): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, { ...options, timeZone: "UTC" });
  const at = new Date(iso);
  const day = format({ day: "numeric", month: "long", year: "numeric" }).format(at);
  return `${day}, ${format({ hour: "2-digit", minute: "2-digit" }).format(at)} UTC`;
}

const programs = new Set(["curl", "Wget", "node", "undici", "axios", "okhttp", "Go-http-client"]);
const browsers = new Set<string>(Object.values(Bowser.BROWSER_MAP));
const systems = new Set<string>(Object.values(Bowser.OS_MAP));

/** Known names only: a user agent is free text, which a stranger could send under our name. */
function mailDevice(userAgent: string, locale: Locale): string {
  const unknown = renderText(locale, "session.unknown");
  if (userAgent.trim() === "") return unknown;
  const { browser, os } = Bowser.parse(userAgent);
  const program = [browser.name, /^[A-Za-z-]+(?=\/|$)/.exec(userAgent)?.[0]].find(
    (name) => name !== undefined && (browsers.has(name) || programs.has(name)),
  );
  if (program === undefined) return unknown;
  if (os.name === undefined || !systems.has(os.name)) return program;
  return renderText(locale, "session.device", { browser: program, system: os.name });
}

/** Sample values for the templates. */
export const sampleCauseUnproven = {
  at: "2026-11-21T18:04:00Z",
  device: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
};
export const sampleCause = { ...sampleCauseUnproven, ip: "2001:db8:85a3::8a2e:370:7334" };
