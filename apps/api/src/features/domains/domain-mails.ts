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
      lead: "The DNS of this domain no longer leads to your Game Shield, and somebody else has proven that it is theirs. Players who use it do not reach your server any more; your CNAME target works as before.",
      caution:
        "If the domain is yours, look at its DNS records and at who can change them. Once they lead to your Game Shield again, the domain comes back by itself.",
    },
    ended: {
      subject: "{domain} is not set up",
      heading: "A domain was not set up in time",
      lead: "For 7 days no DNS record has led from this domain to your Game Shield. It is not routed any more; your CNAME target works as before.",
      caution: "If you no longer need the domain, there is nothing to do.",
    },
    unseen: {
      subject: "{domain} no longer leads to your Game Shield",
      heading: "The DNS record of a domain has gone",
      lead: "Several looks in a row have not found the DNS record that leads from this domain to your Game Shield. Players may bypass the protection, or not find your server.",
      caution: "If you have changed the record on purpose, there is nothing to do.",
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
      lead: "DNS этого домена больше не ведёт на ваш щит, и кто-то другой подтвердил, что домен принадлежит ему. Игроки с этим адресом больше не попадут на ваш сервер; ваша цель CNAME работает как прежде.",
      caution:
        "Если домен ваш, проверьте его DNS-записи и то, кто может их менять. Как только они снова будут вести на ваш щит, домен вернётся сам.",
    },
    ended: {
      subject: "Домен {domain} не настроен",
      heading: "Домен не настроили вовремя",
      lead: "7 дней ни одна DNS-запись не вела с этого домена на ваш щит. Домен больше не обслуживается; ваша цель CNAME работает как прежде.",
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

/** Mails about what became of a domain; security of the shield, so nobody switches them off. */
export const domainMails: Readonly<Record<string, MailTemplate>> = {
  "domains.lost": letter("lost"),
  "domains.ended": letter("ended"),
  "domains.unseen": letter("unseen"),
};
