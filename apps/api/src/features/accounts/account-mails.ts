import type { Locale } from "@palisade/contract/texts/render";
import { layoutMail } from "#src/platform/mail/layout.ts";
import type { MailTemplate, MailValues } from "#src/platform/mail/mailer.ts";

const texts = {
  en: {
    footer: "You receive this mail because your address was entered at Palisade.",
    confirm: {
      subject: "Your confirmation code",
      heading: "Confirm your e-mail",
      lead: "Enter this code to finish your registration. It is valid for 10 minutes.",
      ignore: "If you did not register, ignore this mail: without the code nothing happens.",
    },
    exists: {
      subject: "You already have an account",
      heading: "You already have an account",
      lead: "Someone, probably you, tried to register with this address, but it has an account.",
      ignore: "Log in with your password instead. If this was not you, there is nothing to do.",
    },
    resetCode: {
      subject: "Your password reset code",
      heading: "Reset your password",
      lead: "Enter this code to choose a new password. It is valid for 10 minutes.",
      ignore: "If you did not ask for it, ignore this mail: your password stays as it is.",
    },
  },
  ru: {
    footer: "Вы получили это письмо, потому что ваш адрес указали в Palisade.",
    confirm: {
      subject: "Ваш код подтверждения",
      heading: "Подтвердите e-mail",
      lead: "Введите этот код, чтобы завершить регистрацию. Он действует 10 минут.",
      ignore: "Если вы не регистрировались, ничего не делайте: без кода ничего не произойдёт.",
    },
    exists: {
      subject: "У вас уже есть аккаунт",
      heading: "У вас уже есть аккаунт",
      lead: "Кто-то, вероятно вы, пытался зарегистрироваться с этим адресом, но аккаунт уже есть.",
      ignore: "Войдите со своим паролем. Если это были не вы, ничего делать не нужно.",
    },
    resetCode: {
      subject: "Ваш код для сброса пароля",
      heading: "Сброс пароля",
      lead: "Введите этот код, чтобы задать новый пароль. Он действует 10 минут.",
      ignore: "Если вы его не запрашивали, ничего не делайте: пароль останется прежним.",
    },
  },
} as const satisfies Record<Locale, unknown>;

type Letter = Exclude<keyof (typeof texts)["en"], "footer">;

/** A mail that brings a code. */
function codeMail(letter: Letter): MailTemplate {
  return (locale, values) => {
    const { subject, heading, lead, ignore } = texts[locale][letter];
    const code = textValue(values, "code");
    return layoutMail(locale, {
      subject: `${subject}: ${code}`,
      heading,
      paragraphs: [lead, ignore],
      code,
      footer: texts[locale].footer,
    });
  };
}

/** A mail that says what happened. */
function notice(letter: Letter): MailTemplate {
  return (locale) => {
    const { subject, heading, lead, ignore } = texts[locale][letter];
    const { footer } = texts[locale];
    return layoutMail(locale, { subject, heading, paragraphs: [lead, ignore], footer });
  };
}

function textValue(values: MailValues, name: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`The mail needs the value ${name}`);
  return String(value);
}

export const accountMails = {
  "accounts.confirm-email": codeMail("confirm"),
  "accounts.exists": notice("exists"),
  "accounts.reset-code": codeMail("resetCode"),
} as const;
export type AccountMail = keyof typeof accountMails;
