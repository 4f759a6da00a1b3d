import { consolePaths } from "@palisade/contract/console-paths";
import type { Locale } from "@palisade/contract/texts/render";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";
import { detailsOf, sampleCause, sampleCauseUnproven } from "#src/platform/mail/mail-details.ts";

const texts = {
  en: {
    reason: "You receive this mail because your address was entered at Palisade.",
    confirm: {
      subject: "Your confirmation code: {code}",
      heading: "Confirm your e-mail",
      lead: "Enter this code to finish your registration. It is valid for 10 minutes.",
      caution: "Ignore this mail: nothing happens without the code.",
    },
    exists: {
      subject: "You already have an account",
      heading: "You already have an account",
      lead: "Someone, probably you, tried to register with this address, but it already has an account. Log in with your password instead.",
      button: "Log in",
      caution: "You need not do anything: your account and password have not changed.",
    },
    resetCode: {
      subject: "Your password reset code",
      heading: "Reset your password",
      lead: "Enter this code to choose a new password. It is valid for 10 minutes.",
      caution:
        "Ignore this mail: your password stays as it is. Never give the code to anyone, not even to us.",
    },
  },
  ru: {
    reason: "Вы получили это письмо, потому что ваш адрес указали в Palisade.",
    confirm: {
      subject: "Ваш код подтверждения: {code}",
      heading: "Подтвердите e-mail",
      lead: "Введите этот код, чтобы завершить регистрацию. Он действует 10 минут.",
      caution: "Ничего не делайте: без кода ничего не произойдёт.",
    },
    exists: {
      subject: "У вас уже есть аккаунт",
      heading: "У вас уже есть аккаунт",
      lead: "Кто-то, вероятно вы, пытался зарегистрироваться с этим адресом, но аккаунт уже есть. Войдите со своим паролем.",
      button: "Войти",
      caution: "Ничего делать не нужно: аккаунт и пароль остались прежними.",
    },
    resetCode: {
      subject: "Ваш код для сброса пароля",
      heading: "Сброс пароля",
      lead: "Введите этот код, чтобы задать новый пароль. Он действует 10 минут.",
      caution: "Ничего не делайте: пароль останется прежним. Никому не сообщайте код, даже нам.",
    },
  },
} as const satisfies Record<Locale, unknown>;

/**
 * A mail that brings a code. Locked screens show subjects: the code that confirms an address may
 * stand there, the one that opens an account may not.
 */
function codeMail(letter: "confirm" | "resetCode", cause: MailValues): MailTemplate {
  return {
    sample: { code: "7QK2MXPA", validUntil: "2026-11-21T18:14:00Z", ...cause },
    render(locale, values) {
      const { subject, heading, lead, caution } = texts[locale][letter];
      const code = textValue(values, "code");
      return {
        subject: subject.replace("{code}", code),
        heading,
        paragraphs: [lead],
        code,
        details: detailsOf(locale, values, ["validUntil", "device", "ip", "at"]),
        caution: { text: caution },
        reason: texts[locale].reason,
      };
    },
  };
}

const exists: MailTemplate = {
  sample: { account: "steve@example.com", ...sampleCauseUnproven },
  render(locale, values) {
    const { subject, heading, lead, button, caution } = texts[locale].exists;
    return {
      subject,
      heading,
      paragraphs: [lead],
      action: { label: button, to: consolePaths.login },
      details: detailsOf(locale, values, ["account", "device", "at"]),
      caution: { text: caution },
      reason: texts[locale].reason,
    };
  },
};

function textValue(values: MailValues, name: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`The mail needs the value ${name}`);
  return String(value);
}

export const authMails = {
  "accounts.confirm-email": codeMail("confirm", sampleCauseUnproven),
  "accounts.exists": exists,
  "accounts.reset-code": codeMail("resetCode", sampleCause),
} as const;
export type AuthMail = keyof typeof authMails;
