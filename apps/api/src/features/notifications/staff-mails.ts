import { consolePaths, staffPath } from "@palisade/contract/console-paths";
import { ticketCategories, ticketSeverities } from "@palisade/contract/http/tickets";
import type { Locale } from "@palisade/contract/texts/render";
import type { MailContent } from "#src/platform/mail/mail-content.ts";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";
import { staffEventText, type StaffEvent, type StaffEventKind } from "./staff-event-texts.ts";

const texts = {
  en: {
    button: "Open the console",
    ticket: "Open the ticket",
    reason: "You receive this mail because you are on the staff of this Palisade installation.",
    receiver: "Receiver",
    off: "The webhook for staff is off",
    failing:
      "For three days its receiver has not taken a single message. Nothing more is sent to it until the api starts again.",
    gone: "Its receiver answered that it is gone. Nothing more is sent to it until the api starts again.",
  },
  ru: {
    button: "Открыть консоль",
    ticket: "Открыть обращение",
    reason: "Вы получили это письмо, потому что вы сотрудник этой установки Palisade.",
    receiver: "Получатель",
    off: "Вебхук для сотрудников отключён",
    failing:
      "Три дня его получатель не принял ни одного сообщения. До перезапуска API на него ничего не отправляется.",
    gone: "Его получатель ответил, что его больше нет. До перезапуска API на него ничего не отправляется.",
  },
} as const satisfies Record<Locale, unknown>;

export type MailedStaffEvent = Exclude<StaffEventKind, "webhook.test">;

/** The template of each event. Jobs that wait during an update have the names of before. */
export const staffTemplates: Readonly<Record<MailedStaffEvent, string>> = {
  "edge.lost": "edges.lost",
  "edge.back": "edges.back",
  "certificate.renewal_failed": "certificates.renewal-failed",
  "certificate.expiring": "certificates.expiring",
  "certificate.renewed": "certificates.renewed",
  "ticket.critical": "staff.ticket-critical",
  "ticket.overdue": "staff.ticket-overdue",
};

const text = (value: MailValues[string] | undefined): string => String(value ?? "");
const timeOf = (value: MailValues[string] | undefined): string | null =>
  text(value) === "" ? null : text(value);

function edgeMail(kind: "edge.lost" | "edge.back"): MailTemplate {
  return {
    sample: { edge: "fra-1", location: "frankfurt", at: "2026-11-01T12:00:00.000Z" },
    render(locale, { edge, location, at, last_seen_at }) {
      const data = {
        edge: text(edge),
        location: text(location),
        // An api of the version before calls it `at`.
        last_seen_at: timeOf(last_seen_at) ?? timeOf(at),
      };
      return contentOf({ kind, data }, null, locale);
    },
  };
}

function certificateMail(
  kind: "certificate.renewal_failed" | "certificate.expiring" | "certificate.renewed",
): MailTemplate {
  return {
    sample: { domain: "console.example.com", expires_at: "2026-11-14T12:00:00.000Z" },
    render(locale, { domain, expires_at, told_at }) {
      const toldAt = timeOf(told_at);
      const data = { domain: text(domain), expires_at: timeOf(expires_at) };
      return contentOf({ kind, data }, toldAt === null ? null : new Date(toldAt), locale);
    },
  };
}

const among = <T extends string>(known: readonly T[], value: MailValues[string] | undefined): T => {
  const found = known.find((each) => each === value) ?? known[0];
  if (found === undefined) throw new Error("There is nothing to choose from");
  return found;
};

function ticketMail(kind: "ticket.critical" | "ticket.overdue"): MailTemplate {
  return {
    sample: {
      ticket_id: "0199a3f2-7c10-7000-8000-000000000001",
      ticket: "#1001",
      category: "technical",
      severity: "critical",
      support_plan: "Business",
      due_at: "2026-11-01T12:15:00.000Z",
    },
    render(locale, { ticket_id, ticket, category, severity, support_plan, due_at }) {
      const ticketId = text(ticket_id);
      const data = {
        ticket: text(ticket),
        category: among(ticketCategories, category),
        severity: among(ticketSeverities, severity),
        support_plan: text(support_plan),
        due_at: timeOf(due_at),
      };
      const content = contentOf({ kind, ticketId, data }, null, locale);
      const to = staffPath("tickets", ticketId);
      return { ...content, action: { label: texts[locale].ticket, to } };
    },
  };
}

function contentOf(event: StaffEvent, at: Date | null, locale: Locale): MailContent {
  const said = staffEventText(event, at, locale);
  const { button, reason } = texts[locale];
  return {
    subject: said.title,
    heading: said.title,
    paragraphs: [said.text],
    action: { label: button, to: consolePaths.dashboard },
    details: said.details,
    reason,
  };
}

function webhookMail(why: "failing" | "gone"): MailTemplate {
  return {
    sample: { receiver: "hooks.example.com" },
    render(locale, values) {
      const { off, button, reason, receiver, [why]: said } = texts[locale];
      return {
        subject: off,
        heading: off,
        paragraphs: [said],
        action: { label: button, to: consolePaths.dashboard },
        details: [{ label: receiver, value: text(values["receiver"]) }],
        reason,
      };
    },
  };
}

/** Mails to staff. */
export const staffMails: Readonly<Record<string, MailTemplate>> = {
  [staffTemplates["edge.lost"]]: edgeMail("edge.lost"),
  [staffTemplates["edge.back"]]: edgeMail("edge.back"),
  [staffTemplates["certificate.renewal_failed"]]: certificateMail("certificate.renewal_failed"),
  [staffTemplates["certificate.expiring"]]: certificateMail("certificate.expiring"),
  [staffTemplates["certificate.renewed"]]: certificateMail("certificate.renewed"),
  [staffTemplates["ticket.critical"]]: ticketMail("ticket.critical"),
  [staffTemplates["ticket.overdue"]]: ticketMail("ticket.overdue"),
  "staff.webhook-failing": webhookMail("failing"),
  "staff.webhook-gone": webhookMail("gone"),
};
