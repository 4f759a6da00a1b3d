import { attachmentBytesMax, attachmentFilesMax } from "@palisade/contract/http/attachment-rules";
import { profilePath, ticketPath } from "@palisade/contract/console-paths";
import { reopenDays } from "@palisade/contract/http/tickets";
import type { Locale } from "@palisade/contract/texts/render";
import { z } from "zod";
import type { MailContent, MailDetail } from "#src/platform/mail/mail-content.ts";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";
import { replyMarker } from "./reading/reply-marker.ts";
import { ticketMailTexts } from "./ticket-mail-texts.ts";

const texts = (value: MailValues[string] | undefined): readonly string[] => {
  try {
    return z.array(z.string()).parse(JSON.parse(String(value ?? "[]")));
  } catch {
    // A job of another version.
    return [];
  }
};
const text = (value: MailValues[string] | undefined): string => String(value ?? "");

/** The parts that all mails about a ticket share: they form one conversation in mail programs. */
function shared(locale: Locale, values: MailValues) {
  const { thread, number, button } = ticketMailTexts[locale];
  const ticketId = text(values["ticketId"]);
  const replyTo = text(values["replyTo"]);
  const details: MailDetail[] = [{ label: number, value: `#${text(values["number"])}` }];
  return {
    subject: fill(thread, values),
    action: { label: button as string, to: ticketPath(ticketId) },
    details: details as readonly MailDetail[],
    thread: { id: `ticket.${ticketId}`, receiverMailIds: texts(values["mailIds"]) },
    ...(replyTo !== "" && { reply: { address: replyTo, marker: replyMarker(locale) } }),
  };
}

function aboutTicket(locale: Locale) {
  const { reason, optOut } = ticketMailTexts[locale];
  return { reason, optOut: { label: optOut, to: profilePath("notifications") } };
}

function fill(pattern: string, values: MailValues): string {
  // Functions: a subject with `$&` in it stands as it is.
  return pattern
    .replace("{number}", () => text(values["number"]))
    .replace("{subject}", () => text(values["subject"]))
    .replace("{until}", () => dayOf(text(values["until"])))
    .replace("{days}", String(reopenDays))
    .replace("{files}", String(attachmentFilesMax))
    .replace("{megabytes}", String(attachmentBytesMax / 1024 / 1024));
}

/** Without words, so that it reads the same in every language. */
function dayOf(iso: string): string {
  return iso.slice(0, 10);
}

function howToReply(locale: Locale, values: MailValues): string {
  const { howToReply: byMail, howToReplyInConsole } = ticketMailTexts[locale];
  return text(values["replyTo"]) === "" ? howToReplyInConsole : byMail;
}

const sample = {
  ticketId: "01990000-0000-7000-8000-000000001001",
  number: "1001",
  subject: "Players cannot join since this morning",
  replyTo: "support+1001.abcdefghijklmnop@example.com",
  mailIds: "[]",
};

const answered: MailTemplate = {
  sample: {
    ...sample,
    text: "Hello Alex,\n\nyour backend answers on port 25566, but the group says 25565.\nPlease change the port and tell us whether it helps.\n\nSam",
    files: JSON.stringify(["doctor.txt", "settings.png"]),
  },
  render(locale, values): MailContent {
    const { by, answered: said, files: label } = ticketMailTexts[locale];
    const parts = shared(locale, values);
    const files = texts(values["files"]);
    return {
      ...parts,
      ...aboutTicket(locale),
      heading: said.heading,
      paragraphs: [fill(said.lead, values), howToReply(locale, values)],
      quote: { by, text: text(values["text"]) },
      details: [
        ...parts.details,
        ...(files.length === 0 ? [] : [{ label, value: files.join(", ") }]),
      ],
    };
  },
};

const resolved: MailTemplate = {
  sample,
  render(locale, values): MailContent {
    const { resolved: said } = ticketMailTexts[locale];
    const parts = shared(locale, values);
    return {
      ...parts,
      ...aboutTicket(locale),
      heading: said.heading,
      paragraphs: [fill(said.lead, values), said.next],
      action: { ...parts.action, label: said.button },
    };
  },
};

const closed: MailTemplate = {
  sample: { ...sample, until: "2026-12-05T12:00:00.000Z" },
  render(locale, values): MailContent {
    const { closed: said } = ticketMailTexts[locale];
    const { reply: _, ...parts } = shared(locale, values);
    const next = text(values["until"]) === "" ? said.nextWithoutDate : said.next;
    return {
      ...parts,
      ...aboutTicket(locale),
      heading: said.heading,
      paragraphs: [fill(said.lead, values), fill(next, values)],
      action: { ...parts.action, label: said.button },
    };
  },
};

function refused(reason: "ticket_closed" | "empty" | "quota" | "files"): MailTemplate {
  return {
    sample: {
      ...sample,
      files: JSON.stringify(reason === "files" ? ["program.exe", "world.tar"] : []),
    },
    render(locale, values): MailContent {
      const { refused: said } = ticketMailTexts[locale];
      const { reply, ...parts } = shared(locale, values);
      const files = texts(values["files"]);
      return {
        ...parts,
        // An answer to a closed ticket would be refused again.
        ...(reply !== undefined && reason !== "ticket_closed" && { reply }),
        heading: said[reason].heading,
        paragraphs: [fill(said[reason].text, values)],
        details: [
          ...parts.details,
          ...(files.length === 0 ? [] : [{ label: said.refusedFiles, value: files.join(", ") }]),
        ],
        reason: said.reason,
      };
    },
  };
}

/** Mails to customers about their tickets. */
export const ticketMailTemplates = {
  "tickets.answered": answered,
  "tickets.resolved": resolved,
  "tickets.closed": closed,
  "tickets.mail-ticket_closed": refused("ticket_closed"),
  "tickets.mail-empty": refused("empty"),
  "tickets.mail-quota": refused("quota"),
  "tickets.mail-files": refused("files"),
} as const satisfies Readonly<Record<string, MailTemplate>>;
