import { shieldPath } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/render";
import type { MailDetail } from "#src/platform/mail/mail-content.ts";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";

const texts = {
  en: {
    server: "Game Shield",
    owner: "Invited by",
    member: "New sub-user",
    role: "Role",
    validUntil: "Valid until",
    at: "Time",
    roles: {
      viewer: "Viewer: sees everything but the history, and changes nothing",
      operator: "Operator: changes mitigation, customization and firewall, and sees the rest",
      manager: "Manager: changes everything except plan, renewal, deletion and sub-users",
      custom: "Custom: has rights of its own for each section",
    },
    invitation: {
      subject: "You are invited to a Game Shield",
      lead: "The owner of a game server gives you access to its protection, with the role below. The link is valid for 7 days.",
      account:
        "You need a Palisade account with this address. If you have none yet, the link leads you to it.",
      button: "Open the invitation",
      caution: "Ignore this mail: nothing happens unless you open the link.",
      reason: "You receive this mail because the owner of a Game Shield invited you on Palisade.",
    },
    accepted: {
      subject: "Your invitation was accepted",
      lead: "A person you invited now has access to your Game Shield, with the role below. They cannot change its plan, its renewal or who has access.",
      button: "Open the sub-users",
      caution: "Remove them on the page of the sub-users: their access ends at once.",
      reason: "You receive this mail because you own this Game Shield on Palisade.",
    },
  },
  ru: {
    server: "Game Shield",
    owner: "Пригласил",
    member: "Новый субпользователь",
    role: "Роль",
    validUntil: "Истекает",
    at: "Время",
    roles: {
      viewer: "Наблюдатель: видит всё, кроме истории, и ничего не меняет",
      operator: "Оператор: меняет защиту, оформление и файрвол, видит остальное",
      manager: "Управляющий: меняет всё, кроме тарифа, продления, удаления и субпользователей",
      custom: "Особая: свои права для каждого раздела",
    },
    invitation: {
      subject: "Вас пригласили в Game Shield",
      lead: "Владелец игрового сервера даёт вам доступ к его защите с ролью, указанной ниже. Ссылка действует 7 дней.",
      account:
        "Нужен аккаунт Palisade с этим адресом. Если его ещё нет, ссылка приведёт к регистрации.",
      button: "Открыть приглашение",
      caution: "Ничего не делайте: без ссылки ничего не произойдёт, и никто об этом не узнает.",
      reason: "Вы получили это письмо, потому что вас пригласили в Palisade.",
    },
    accepted: {
      subject: "Ваше приглашение принято",
      lead: "У приглашённого вами человека теперь есть доступ к вашему Game Shield с ролью, указанной ниже. Менять тариф, продление и доступ он не может.",
      button: "Открыть субпользователей",
      caution: "Удалите его на странице субпользователей: доступ закончится сразу.",
      reason: "Вы получили это письмо, потому что этот Game Shield в Palisade принадлежит вам.",
    },
  },
} as const satisfies Record<Locale, unknown>;

type FactName = "server" | "owner" | "member" | "role" | "validUntil" | "at";

function factsOf(locale: Locale, values: MailValues, names: readonly FactName[]): MailDetail[] {
  return names.flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    return [{ label: texts[locale][name], value: shownFact(locale, name, String(value)) }];
  });
}

function shownFact(locale: Locale, name: FactName, value: string): string {
  if (name === "validUntil" || name === "at") return time(value, locale);
  const roles: Readonly<Record<string, string>> = texts[locale].roles;
  return name === "role" ? (roles[value] ?? value) : shorten(value);
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
    role: "operator",
    validUntil: "2026-11-28T18:04:00Z",
  },
  render(locale, values) {
    const { subject, lead, account, button, caution, reason } = texts[locale].invitation;
    return {
      subject,
      heading: subject,
      paragraphs: [lead, account],
      action: { label: button, to: String(values["link"]) },
      details: factsOf(locale, values, ["server", "owner", "role", "validUntil"]),
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
    role: "operator",
    at: "2026-11-21T18:04:00Z",
  },
  render(locale, values) {
    const { subject, lead, button, caution, reason } = texts[locale].accepted;
    return {
      subject,
      heading: subject,
      paragraphs: [lead],
      action: { label: button, to: shieldPath(String(values["serverId"]), "subusers") },
      details: factsOf(locale, values, ["server", "member", "role", "at"]),
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
