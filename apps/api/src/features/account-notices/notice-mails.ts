import { consolePaths, profilePath } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/render";
import type { MailLink } from "#src/platform/mail/mail-content.ts";
import type { MailTemplate } from "#src/platform/mail/mailer.ts";
import { accountNotices, noticeText, type AccountNotice } from "./notice-texts.ts";
import { detailsOf, sampleCause } from "#src/platform/mail/mail-details.ts";

const texts = {
  en: {
    reason: "You receive this mail because it is about the security of your Palisade account.",
    productReason: "You can switch off mails like this in the notifications of your profile.",
    optOut: "Switch them off",
    resetPassword: "Reset the password",
    security: "Open the security settings",
    keys: "Open the API keys",
    support: "Write to support",
  },
  ru: {
    reason:
      "Вы получили это письмо, потому что оно касается безопасности вашего аккаунта Palisade.",
    productReason: "Такие письма можно отключить в уведомлениях вашего профиля.",
    optOut: "Отключить",
    resetPassword: "Сбросить пароль",
    security: "Открыть настройки безопасности",
    keys: "Открыть ключи API",
    support: "Написать в поддержку",
  },
} as const satisfies Record<Locale, unknown>;

/** After these the owner cannot log in any more, so only the operator can help. */
const helpless = new Set<AccountNotice>(["two-factor-on", "email-changed", "account-deleted"]);

/** The page that helps when an intruder changed the account. */
function remedyLink(locale: Locale, notice: AccountNotice): MailLink {
  const words = texts[locale];
  // The intruder knows the new password; the owner cannot log in.
  if (notice.startsWith("password-changed"))
    return { label: words.resetPassword, to: consolePaths.resetPassword };
  if (helpless.has(notice)) {
    return { label: words.support, to: { operator: true } };
  }
  return { label: words.security, to: profilePath("security") };
}

const noticeDetails = [
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
  "passkey-added": { name: "Laptop" },
  "passkey-removed": { name: "Laptop" },
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
        details: detailsOf(
          locale,
          values,
          // The lead names a passkey; as a detail it would be called a key.
          noticeDetails.filter((name) => name !== "name" || !notice.startsWith("passkey")),
        ),
        ...(remedy && { caution: { text: remedy, action: remedyLink(locale, notice) } }),
        reason: texts[locale].reason,
      };
    },
  };
}

/** About the product, so it says where to switch it off. */
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
      details: detailsOf(locale, values, ["account", "name", "expiresAt"]),
      reason: productReason,
      optOut: { label: optOut, to: profilePath("notifications") },
    };
  },
};

/** A mail for every notice. */
export const noticeMails: Readonly<Record<string, MailTemplate>> = Object.fromEntries(
  accountNotices.map((notice) => [
    `accounts.${notice}`,
    notice === "api-key-expiring" ? keyExpiring : securityNotice(notice),
  ]),
);
