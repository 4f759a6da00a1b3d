import { shieldPath } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/render";
import type { MailDetail } from "#src/platform/mail/mail-content.ts";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";

const texts = {
  en: {
    server: "Game Shield",
    owner: "Invited by",
    member: "New sub-user",
    validUntil: "Valid until",
    at: "Time",
    invitation: {
      subject: "You are invited to manage a Game Shield",
      lead: "The owner of a game server wants to manage its protection together with you. The link is valid for 7 days.",
      account:
        "You need a Palisade account with this address. If you have none yet, the link leads you to it.",
      button: "Open the invitation",
      caution: "Ignore this mail: nothing happens unless you open the link.",
      reason: "You receive this mail because the owner of a Game Shield invited you on Palisade.",
    },
    accepted: {
      subject: "Your invitation was accepted",
      lead: "A person you invited now manages your Game Shield with you. They can change its settings, but not its plan, its renewal or who has access.",
      button: "Open the sub-users",
      caution: "Remove them on the page of the sub-users: their access ends at once.",
      reason: "You receive this mail because you own this Game Shield on Palisade.",
    },
  },
  ru: {
    server: "Game Shield",
    owner: "Пригласил",
    member: "Новый субпользователь",
    validUntil: "Истекает",
    at: "Время",
    invitation: {
      subject: "Вас пригласили управлять Game Shield",
      lead: "Владелец игрового сервера хочет управлять его защитой вместе с вами. Ссылка действует 7 дней.",
      account:
        "Нужен аккаунт Palisade с этим адресом. Если его ещё нет, ссылка приведёт к регистрации.",
      button: "Открыть приглашение",
      caution: "Ничего не делайте: без ссылки ничего не произойдёт, и никто об этом не узнает.",
      reason: "Вы получили это письмо, потому что вас пригласили в Palisade.",
    },
    accepted: {
      subject: "Ваше приглашение принято",
      lead: "Приглашённый вами человек теперь управляет вашим Game Shield вместе с вами. Он может менять настройки, но не тариф, продление и доступ.",
      button: "Открыть субпользователей",
      caution: "Удалите его на странице субпользователей: доступ закончится сразу.",
      reason: "Вы получили это письмо, потому что этот Game Shield в Palisade принадлежит вам.",
    },
  },
} as const satisfies Record<Locale, unknown>;

type FactName = "server" | "owner" | "member" | "validUntil" | "at";

function factsOf(locale: Locale, values: MailValues, names: readonly FactName[]): MailDetail[] {
  return names.flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    const isTime = name === "validUntil" || name === "at";
    const shown = isTime ? time(String(value), locale) : shorten(String(value));
    return [{ label: texts[locale][name], value: shown }];
  });
}

/** In UTC: a mail is read wherever its reader is by then. */
function time(iso: string, locale: Locale): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, { ...options, timeZone: "UTC" });
  const at = new Date(iso);
  const day = format({ day: "numeric", month: "long", year: "numeric" }).format(at);
  return `${day}, ${format({ hour: "2-digit", minute: "2-digit" }).format(at)} UTC`;
}

/** A name is its owner's text, and 255 characters of it would be a letter of their own. */
function shorten(value: string): string {
  return value.length > 64 ? `${value.slice(0, 63)}…` : value;
}

const invitation: MailTemplate = {
  sample: {
    link: "https://palisade.example/invitation#token=psi_n1Jv9sXoQe4c0fK2dY7uZw3TtBhLr8Ga5PmEiVxCq6A",
    server: "Skyline Survival",
    owner: "anna@example.com",
    validUntil: "2026-11-28T18:04:00Z",
  },
  render(locale, values) {
    const { subject, lead, account, button, caution, reason } = texts[locale].invitation;
    return {
      subject,
      heading: subject,
      paragraphs: [lead, account],
      action: { label: button, to: String(values["link"]) },
      details: factsOf(locale, values, ["server", "owner", "validUntil"]),
      caution: { text: caution },
      reason,
    };
  },
};

const accepted: MailTemplate = {
  sample: {
    server: "Skyline Survival",
    serverId: "0199a3f2-7c10-7000-8000-5f1a2b3c4d01",
    member: "bob@example.com",
    at: "2026-11-21T18:04:00Z",
  },
  render(locale, values) {
    const { subject, lead, button, caution, reason } = texts[locale].accepted;
    return {
      subject,
      heading: subject,
      paragraphs: [lead],
      action: { label: button, to: shieldPath(String(values["serverId"]), "subusers") },
      details: factsOf(locale, values, ["server", "member", "at"]),
      caution: { text: caution },
      reason,
    };
  },
};

/** Mails to an invited person, and to the owner once the invitation is accepted. */
export const subUserMails: Readonly<Record<string, MailTemplate>> = {
  "sub-users.invitation": invitation,
  "sub-users.accepted": accepted,
};
