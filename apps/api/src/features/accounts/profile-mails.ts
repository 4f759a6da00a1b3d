import { consolePaths, profilePath } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/render";
import type { MailLink } from "#src/platform/mail/mail-content.ts";
import type { MailTemplate } from "#src/platform/mail/mailer.ts";
import { accountNotices, noticeText, type AccountNotice } from "./account-notice-texts.ts";
import { factsOf } from "./mail-facts.ts";
import { sampleCause, sampleCauseUnproven } from "./mail-samples.ts";

const texts = {
  en: {
    reason: "You receive this mail because it concerns the security of your account at Palisade.",
    addressReason: "You receive this mail because your address was entered at Palisade.",
    productReason: "You can switch off mails like this in the notifications of your profile.",
    optOut: "Switch them off",
    resetPassword: "Reset the password",
    security: "Open the security settings",
    keys: "Open the API keys",
    support: "Write to support",
    change: {
      subject: "Confirm your new e-mail",
      lead: "Open this link to make this address the one of your account. It is valid for 24 hours.",
      button: "Confirm the e-mail",
      caution: "Ignore this mail: without the link nothing happens.",
    },
    taken: {
      subject: "This address has an account already",
      lead: "Someone, probably you, tried to give another account this address, but it has an account of its own. Use another address for the other account.",
      caution: "There is nothing to do: your account is as before.",
    },
  },
  ru: {
    reason:
      "Вы получили это письмо, потому что оно касается безопасности вашего аккаунта Palisade.",
    addressReason: "Вы получили это письмо, потому что ваш адрес указали в Palisade.",
    productReason: "Такие письма можно отключить в уведомлениях вашего профиля.",
    optOut: "Отключить",
    resetPassword: "Сбросить пароль",
    security: "Открыть настройки безопасности",
    keys: "Открыть ключи API",
    support: "Написать в поддержку",
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
    const { change, addressReason } = texts[locale];
    return {
      subject: change.subject,
      heading: change.subject,
      paragraphs: [change.lead],
      action: { label: change.button, to: String(values["link"]) },
      details: factsOf(locale, values, ["validUntil", "device", "at"]),
      caution: { text: change.caution },
      reason: addressReason,
    };
  },
};

const emailTaken: MailTemplate = {
  sample: sampleCauseUnproven,
  render(locale, values) {
    const { taken, addressReason } = texts[locale];
    return {
      subject: taken.subject,
      heading: taken.subject,
      paragraphs: [taken.lead],
      details: factsOf(locale, values, ["device", "at"]),
      caution: { text: taken.caution },
      reason: addressReason,
    };
  },
};

/** After these the owner does not get in any more, and no page helps. */
const helpless = new Set<AccountNotice>(["two-factor-on", "email-changed", "account-deleted"]);

/** Where somebody goes whose account was changed by another. */
function remedyLink(locale: Locale, notice: AccountNotice): MailLink {
  const words = texts[locale];
  // Whoever changed the password is in; the owner is not.
  if (notice === "password-changed")
    return { label: words.resetPassword, to: consolePaths.resetPassword };
  if (helpless.has(notice)) {
    return { label: words.support, to: { operator: true } };
  }
  return { label: words.security, to: profilePath("security") };
}

const noticeFacts = [
  "account",
  "email",
  "name",
  "scope",
  "expiresAt",
  "device",
  "ip",
  "at",
] as const;

const noticeSamples: Partial<Record<AccountNotice, Record<string, string>>> = {
  "email-change-requested": { email: "alex@example.com" },
  "email-changed": { email: "alex@example.com" },
  "api-key-created": { name: "Status page", scope: "read", expiresAt: "2027-02-19T18:04:00Z" },
};

function securityNotice(notice: AccountNotice): MailTemplate {
  return {
    sample: {
      account: "steve@example.com",
      ...(notice === "two-factor-removed" ? { at: sampleCause.at } : sampleCause),
      ...noticeSamples[notice],
    },
    render(locale, values) {
      const { subject, lead, remedy } = noticeText(locale, notice, values);
      return {
        subject,
        heading: subject,
        paragraphs: [lead],
        details: factsOf(locale, values, noticeFacts),
        ...(remedy && { caution: { text: remedy, action: remedyLink(locale, notice) } }),
        reason: texts[locale].reason,
      };
    },
  };
}

/** About the product: says where it is switched off. */
const keyExpiring: MailTemplate = {
  sample: {
    account: "steve@example.com",
    name: "Status page",
    expiresAt: "2026-11-24T09:30:00Z",
  },
  render(locale, values) {
    const { subject, lead, advice } = noticeText(locale, "api-key-expiring", values);
    const { productReason, optOut, keys } = texts[locale];
    return {
      subject,
      heading: subject,
      paragraphs: advice === undefined ? [lead] : [lead, advice],
      action: { label: keys, to: profilePath("security") },
      details: factsOf(locale, values, ["account", "name", "expiresAt"]),
      reason: productReason,
      optOut: { label: optOut, to: profilePath("notifications") },
    };
  },
};

/** Mails of the profile: e-mail change, and every notice. */
export const profileMails: Readonly<Record<string, MailTemplate>> = {
  "accounts.email-change": emailChange,
  "accounts.email-taken": emailTaken,
  ...Object.fromEntries(
    accountNotices.map((notice) => [
      `accounts.${notice}`,
      notice === "api-key-expiring" ? keyExpiring : securityNotice(notice),
    ]),
  ),
};
