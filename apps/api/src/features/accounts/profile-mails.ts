import type { Locale } from "@palisade/contract/texts/render";
import { layoutMail } from "#src/platform/mail/layout.ts";
import type { MailTemplate } from "#src/platform/mail/mailer.ts";
import { accountNotices, noticeText } from "./account-notice-texts.ts";

const texts = {
  en: {
    footer: "You receive this mail because it concerns the security of your account at Palisade.",
    productFooter: "You can switch off mails like this in the notifications of your profile.",
    change: {
      subject: "Confirm your new e-mail",
      lead: "Open this link to make this address the one of your account. It is valid for 24 hours.",
      button: "Confirm the e-mail",
      ignore: "If you did not ask for this, ignore this mail: without the link nothing happens.",
    },
    taken: {
      subject: "This address has an account already",
      lead: "Someone, probably you, tried to give another account this address, but it has an account of its own.",
      ignore:
        "Use another address for the other account. If this was not you, there is nothing to do.",
    },
  },
  ru: {
    footer:
      "Вы получили это письмо, потому что оно касается безопасности вашего аккаунта Palisade.",
    productFooter: "Такие письма можно отключить в уведомлениях вашего профиля.",
    change: {
      subject: "Подтвердите новый e-mail",
      lead: "Откройте эту ссылку, чтобы сделать этот адрес адресом вашего аккаунта. Она действует 24 часа.",
      button: "Подтвердить e-mail",
      ignore: "Если вы об этом не просили, ничего не делайте: без ссылки ничего не произойдёт.",
    },
    taken: {
      subject: "У этого адреса уже есть аккаунт",
      lead: "Кто-то, вероятно вы, пытался указать этот адрес для другого аккаунта, но у него уже есть свой.",
      ignore:
        "Укажите для того аккаунта другой адрес. Если это были не вы, ничего делать не нужно.",
    },
  },
} as const satisfies Record<Locale, unknown>;

const emailChange: MailTemplate = (locale, values) => {
  const { change, footer } = texts[locale];
  return layoutMail(locale, {
    subject: change.subject,
    heading: change.subject,
    link: { label: change.button, url: String(values["link"]) },
    paragraphs: [change.lead, change.ignore],
    footer,
  });
};

const emailTaken: MailTemplate = (locale) => {
  const { taken, footer } = texts[locale];
  return layoutMail(locale, {
    subject: taken.subject,
    heading: taken.subject,
    paragraphs: [taken.lead, taken.ignore],
    footer,
  });
};

function noticeTemplate(notice: (typeof accountNotices)[number]): MailTemplate {
  return (locale, values) => {
    const { subject, lead, advice } = noticeText(locale, notice, values);
    const { footer, productFooter } = texts[locale];
    const isProduct = notice === "api-key-expiring";
    return layoutMail(locale, {
      subject,
      heading: subject,
      paragraphs: [lead, advice],
      footer: isProduct ? productFooter : footer,
    });
  };
}

/** Mails of the profile: e-mail change, and every notice. */
export const profileMails: Readonly<Record<string, MailTemplate>> = {
  "accounts.email-change": emailChange,
  "accounts.email-taken": emailTaken,
  ...Object.fromEntries(
    accountNotices.map((notice) => [`accounts.${notice}`, noticeTemplate(notice)]),
  ),
};
