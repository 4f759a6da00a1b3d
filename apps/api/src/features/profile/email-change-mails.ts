import type { Locale } from "@palisade/contract/texts/render";
import type { MailTemplate } from "#src/platform/mail/mailer.ts";
import { detailsOf, sampleCauseUnproven } from "#src/platform/mail/mail-details.ts";

const texts = {
  en: {
    reason: "You receive this mail because your address was entered at Palisade.",
    change: {
      subject: "Confirm your new e-mail",
      lead: "Open this link to use this address for your account. The link is valid for 24 hours.",
      button: "Confirm the e-mail",
      caution: "Ignore this mail: nothing happens without the link.",
    },
    taken: {
      subject: "This address already has an account",
      lead: "Someone, probably you, tried to use this address for another account, but it already has its own account. Use a different address for the other account.",
      caution: "You need not do anything: your account has not changed.",
    },
  },
  ru: {
    reason: "Вы получили это письмо, потому что ваш адрес указали в Palisade.",
    change: {
      subject: "Подтвердите новый e-mail",
      lead: "Откройте эту ссылку, чтобы сделать этот адрес адресом вашего аккаунта. Она действует 24 часа.",
      button: "Подтвердить e-mail",
      caution: "Ничего не делайте: без ссылки ничего не произойдёт.",
    },
    taken: {
      subject: "У этого адреса уже есть аккаунт",
      lead: "Кто-то, вероятно вы, пытался указать этот адрес для другого аккаунта, но у него уже есть свой. Укажите для того аккаунта другой адрес.",
      caution: "Ничего делать не нужно: ваш аккаунт остался прежним.",
    },
  },
} as const satisfies Record<Locale, unknown>;

const emailChange: MailTemplate = {
  sample: {
    link: "https://palisade.example/confirm-email#token=n1Jv9sXoQe4c0fK2dY7uZw3TtBhLr8Ga5PmEiVxCq6A",
    validUntil: "2026-11-22T18:04:00Z",
    ...sampleCauseUnproven,
  },
  render(locale, values) {
    const { change, reason } = texts[locale];
    return {
      subject: change.subject,
      heading: change.subject,
      paragraphs: [change.lead],
      action: { label: change.button, to: String(values["link"]) },
      details: detailsOf(locale, values, ["validUntil", "device", "at"]),
      caution: { text: change.caution },
      reason: reason,
    };
  },
};

const emailTaken: MailTemplate = {
  sample: sampleCauseUnproven,
  render(locale, values) {
    const { taken, reason } = texts[locale];
    return {
      subject: taken.subject,
      heading: taken.subject,
      paragraphs: [taken.lead],
      details: detailsOf(locale, values, ["device", "at"]),
      caution: { text: taken.caution },
      reason: reason,
    };
  },
};

export const emailChangeMails = {
  "accounts.email-change": emailChange,
  "accounts.email-taken": emailTaken,
} as const;
