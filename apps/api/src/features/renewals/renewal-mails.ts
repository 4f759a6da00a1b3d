import { consolePaths, shieldPath } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/render";
import { formatCents } from "#src/features/ledger/money.service.ts";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";
import { renewalMailTexts as texts, type RenewalMail } from "./renewal-mail-texts.ts";

const sample = {
  shieldId: "0199a3f2-7c10-7000-8000-5f1a2b3c4d01",
  server: "Skyline",
  plan: "Pro",
  priceCents: 2_900,
  neededCents: 2_900,
  balanceCents: 1_200,
  amountCents: 2_000,
  endsAt: "2026-12-01T10:00:00.000Z",
  graceEndsAt: "2026-12-04T10:00:00.000Z",
};

function letter(kind: RenewalMail): MailTemplate {
  return {
    sample,
    render(locale, values) {
      const { common, [kind]: said } = texts[locale];
      const fill = (text: string): string =>
        text.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(locale, values, name));
      const shieldId = valueOf(locale, values, "shieldId");
      const to = shieldId === "" ? consolePaths.billing : shieldPath(shieldId);
      const price = said.details.includes("price");
      const details = [
        ...(said.details.includes("server")
          ? [{ label: common.server, value: valueOf(locale, values, "server") }]
          : []),
        ...(price ? [{ label: common.price, value: valueOf(locale, values, "price") }] : []),
      ];
      return {
        subject: fill(said.subject),
        heading: said.heading,
        paragraphs: [fill(said.lead), fill(said.next)],
        action: {
          label: said.button ?? common.button,
          to: said.opensBilling ? consolePaths.billing : to,
        },
        details,
        reason: common.reason,
      };
    },
  };
}

/** Long names would not fit a subject, and a mailbox cuts them anyway. */
const nameShownMax = 28;

/** A value as the reader reads it; empty where a job of another version lacks it. */
function valueOf(locale: Locale, values: MailValues, name: string): string {
  const cents = values[`${name}Cents`];
  if (cents !== undefined) return `${formatCents(Number(cents))} €`;
  const value = String(values[name] ?? "");
  if (name.endsWith("At")) return value === "" ? "" : timeOf(locale, value);
  return name === "server" && value.length > nameShownMax
    ? `${value.slice(0, nameShownMax - 1)}…`
    : value;
}

/** In UTC: a mail is read wherever its reader is by then. */
function timeOf(locale: Locale, iso: string): string {
  const format = new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${format.format(new Date(iso))} UTC`;
}

/** Mails about renewals concern the service itself and cannot be switched off. */
export const renewalMails: Readonly<Record<string, MailTemplate>> = {
  "renewals.low": letter("low"),
  "renewals.ending": letter("ending"),
  "renewals.failed": letter("failed"),
  "renewals.grace": letter("grace"),
  "renewals.last_day": letter("last_day"),
  "renewals.expired": letter("expired"),
  "renewals.plan-kept": letter("plan_kept"),
  "renewals.support-failed": letter("support_failed"),
  "renewals.support-ended": letter("support_ended"),
  "traffic.80": letter("traffic_80"),
  "traffic.100": letter("traffic_100"),
  "traffic.used-up": letter("traffic_used_up"),
  "renewals.top-up-failed": letter("top_up_failed"),
  "renewals.top-up-off": letter("top_up_off"),
};
