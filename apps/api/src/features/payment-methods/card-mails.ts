import { consolePaths } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/render";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";

const texts = {
  en: {
    reason: "You receive this mail because a card is saved in your account at Palisade.",
    card: "Card",
    amount: "Amount",
    until: "The link works until",
    expires: "Valid until the end of",
    expiring: {
      subject: "Your card ending in {last4} expires soon",
      heading: "A saved card expires soon",
      lead: "After its expiry we cannot charge this card for renewals or automatic top-ups. Save a new card before then, so that your Game Shields stay online.",
      button: "Open billing",
      caution: "If your bank has already replaced the card, you need to do nothing.",
    },
    authenticate: {
      subject: "Please confirm a payment of {amount}",
      heading: "Your bank wants you to confirm a payment",
      lead: "We tried to charge your saved card. Your bank did not allow it without you. Open the payment page and confirm the payment there.",
      button: "Open the payment page",
      caution:
        "No money has been taken. If you do not want this payment, switch renewal or automatic top-up off on the billing page.",
    },
  },
  ru: {
    reason: "Вы получили это письмо, потому что в вашем аккаунте Palisade сохранена карта.",
    card: "Карта",
    amount: "Сумма",
    until: "Ссылка действует до",
    expires: "Действует до конца месяца",
    expiring: {
      subject: "Срок действия карты с окончанием {last4} скоро истечёт",
      heading: "Срок действия сохранённой карты скоро истечёт",
      lead: "После этого мы не сможем списывать с неё деньги за продление и автоматическое пополнение. Сохраните новую карту заранее, чтобы ваши щиты продолжали работать.",
      button: "Открыть оплату",
      caution: "Если банк уже заменил карту, ничего делать не нужно.",
    },
    authenticate: {
      subject: "Подтвердите платёж на {amount}",
      heading: "Банк просит подтвердить платёж",
      lead: "Мы попытались списать деньги с сохранённой карты. Банк не разрешил это без вас. Откройте страницу оплаты и подтвердите платёж.",
      button: "Открыть страницу оплаты",
      caution:
        "Деньги не списаны. Если платёж вам не нужен, отключите продление или автоматическое пополнение на странице оплаты.",
    },
  },
} as const satisfies Record<Locale, unknown>;

function textOf(values: MailValues, name: string): string {
  return String(values[name] ?? "");
}

const expiring: MailTemplate = {
  sample: { brand: "visa", last4: "4242", expiry: "2026-12" },
  render(locale, values) {
    const { reason, card, expires, expiring: said } = texts[locale];
    const last4 = textOf(values, "last4");
    const [year = "", month = ""] = textOf(values, "expiry").split("-");
    return {
      subject: said.subject.replace("{last4}", last4),
      heading: said.heading,
      paragraphs: [said.lead],
      action: { label: said.button, to: consolePaths.billing },
      details: [
        { label: card, value: `${textOf(values, "brand")} •••• ${last4}` },
        { label: expires, value: `${month}/${year}` },
      ],
      caution: { text: said.caution },
      reason,
    };
  },
};

const authenticate: MailTemplate = {
  sample: {
    cents: 999,
    url: "https://checkout.stripe.com/c/pay/cs_test_a1",
    until: "2026-12-01T12:00:00.000Z",
  },
  render(locale, values) {
    const { reason, amount, until, authenticate: said } = texts[locale];
    const euros = new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(
      Number(values["cents"] ?? 0) / 100,
    );
    const moment = new Intl.DateTimeFormat(locale, {
      dateStyle: "long",
      timeStyle: "short",
      timeZone: "UTC",
    }).format(new Date(textOf(values, "until")));
    return {
      subject: said.subject.replace("{amount}", euros),
      heading: said.heading,
      paragraphs: [said.lead],
      action: { label: said.button, to: textOf(values, "url") },
      details: [
        { label: amount, value: euros },
        { label: until, value: `${moment} UTC` },
      ],
      caution: {
        text: said.caution,
        action: { label: texts[locale].expiring.button, to: consolePaths.billing },
      },
      reason,
    };
  },
};

/** Mails about saved cards. They concern money and cannot be switched off. */
export const cardMails: Readonly<Record<string, MailTemplate>> = {
  "cards.expiring": expiring,
  "cards.authenticate": authenticate,
};
