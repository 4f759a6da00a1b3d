import { shieldPath } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/render";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";

const texts = {
  en: {
    reason: "You receive this mail because it concerns the reach of your Game Shield at Palisade.",
    button: "Open the domains",
    domain: "Domain",
    server: "Game Shield",
    lost: {
      subject: "{domain} now belongs to another Game Shield",
      heading: "A domain has gone to another Game Shield",
      lead: "The DNS of this domain no longer leads to your Game Shield, and another account has proven that the domain is theirs. Players who use it no longer reach your server. Your CNAME target works as before.",
      caution:
        "If the domain is yours, check its DNS records and who can change them. When they lead to your Game Shield again, the domain comes back by itself.",
    },
    ended: {
      subject: "{domain} is not set up",
      heading: "A domain was not set up in time",
      lead: "For 7 days no DNS record has led from this domain to your Game Shield. Players can no longer join through it. Your CNAME target works as before.",
      caution: "If you no longer need the domain, you need to do nothing.",
    },
    unseen: {
      subject: "{domain} no longer leads to your Game Shield",
      heading: "The DNS record of a domain has gone",
      lead: "Several checks in a row did not find the DNS record that leads from this domain to your Game Shield. Players may bypass the protection or not find your server.",
      caution: "If you changed the record on purpose, you need to do nothing.",
    },
  },
  ru: {
    reason: "Вы получили это письмо, потому что оно касается доступности вашего щита Palisade.",
    button: "Открыть домены",
    domain: "Домен",
    server: "Щит",
    lost: {
      subject: "Домен {domain} теперь у другого щита",
      heading: "Домен перешёл к другому щиту",
      lead: "DNS этого домена больше не ведёт на ваш щит, и другой аккаунт подтвердил, что домен принадлежит ему. Игроки с этим адресом больше не попадут на ваш сервер. Ваша цель CNAME работает как прежде.",
      caution:
        "Если домен ваш, проверьте его DNS-записи и то, кто может их менять. Как только они снова будут вести на ваш щит, домен вернётся сам.",
    },
    ended: {
      subject: "Домен {domain} не настроен",
      heading: "Домен не настроили вовремя",
      lead: "7 дней ни одна DNS-запись не вела с этого домена на ваш щит. Игроки больше не могут зайти через него. Ваша цель CNAME работает как прежде.",
      caution: "Если домен больше не нужен, ничего делать не нужно.",
    },
    unseen: {
      subject: "Домен {domain} больше не ведёт на ваш щит",
      heading: "DNS-запись домена пропала",
      lead: "Несколько проверок подряд не нашли DNS-запись, которая ведёт с этого домена на ваш щит. Игроки могут обходить защиту или не находить сервер.",
      caution: "Если вы изменили запись намеренно, ничего делать не нужно.",
    },
  },
} as const satisfies Record<Locale, unknown>;

/** Long names would not fit a subject, and a mailbox cuts them anyway. */
const nameShownMax = 28;

function letter(kind: "lost" | "ended" | "unseen"): MailTemplate {
  return {
    sample: {
      domain: "play.example.com",
      server: "Skyline",
      shieldId: "0199a3f2-7c10-7000-8000-5f1a2b3c4d01",
    },
    render(locale, values) {
      const { reason, button, domain, server, [kind]: said } = texts[locale];
      const name = textOf(values, "domain");
      const shown = name.length > nameShownMax ? `${name.slice(0, nameShownMax - 1)}…` : name;
      return {
        subject: said.subject.replace("{domain}", shown),
        heading: said.heading,
        paragraphs: [said.lead],
        action: {
          label: button,
          to: shieldPath(textOf(values, "shieldId"), "domains"),
        },
        details: [
          { label: domain, value: name },
          { label: server, value: textOf(values, "server") },
        ],
        caution: { text: said.caution },
        reason,
      };
    },
  };
}

function textOf(values: MailValues, name: string): string {
  return String(values[name] ?? "");
}

/** Mails about a lost or ended domain. They concern security and cannot be switched off. */
export const domainMails: Readonly<Record<string, MailTemplate>> = {
  "domains.lost": letter("lost"),
  "domains.ended": letter("ended"),
  "domains.unseen": letter("unseen"),
};
