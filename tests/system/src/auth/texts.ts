import type { Locale } from "@palisade/contract/texts/render";
import { fieldTexts } from "../spec/account-field-texts.ts";
import { accountButtons, accountForms, accountLinks } from "../spec/account-forms.ts";
import { messages } from "../spec/account-messages.ts";
import type { Texts } from "../spec/rules.ts";

/** The labels of the auth pages; their messages are in `spec/account-messages.ts`. */
const labels = {
  en: {
    headings: {
      login: "Log in",
      register: "Register",
      confirm: "Confirm your email",
      twoFactor: "Two-factor authentication",
      reset: "Reset password",
      resetCode: "Enter the reset code",
      newPassword: "New password",
    },
    logIn: "Log in",
    email: "Email",
    password: "Password",
    repeat: "Repeat password",
    newPassword: "New password",
    terms: "I accept the terms and the privacy policy",
    code: "Code",
    authenticationCode: "Authentication code",
    backupCode: "Backup code",
    useBackup: "Use a backup code",
  },
  ru: {
    headings: {
      login: "Вход",
      register: "Регистрация",
      confirm: "Подтвердите e-mail",
      twoFactor: "Двухфакторная аутентификация",
      reset: "Сброс пароля",
      resetCode: "Введите код сброса",
      newPassword: "Новый пароль",
    },
    logIn: "Войти",
    email: "E-mail",
    password: "Пароль",
    repeat: "Повторите пароль",
    newPassword: "Новый пароль",
    terms: "Я принимаю условия и политику конфиденциальности",
    code: "Код",
    authenticationCode: "Код из приложения",
    backupCode: "Резервный код",
    useBackup: "Ввести резервный код",
  },
} as const;

const { transitions, failures, successes, refusals } = messages;

function textsOf(locale: Locale) {
  const say = (texts: Texts): string => texts[locale];
  const countdown = say(transitions.countdown).replace("{seconds}", String.raw`(\d+)`);
  return {
    ...labels[locale],
    links: {
      register: say(accountLinks.register),
      login: say(accountLinks.login),
      forgot: say(accountLinks.forgot),
      back: say(accountLinks.back),
    },
    confirm: say(accountForms.confirm.submit),
    resend: say(accountButtons.resend),
    continue: say(accountForms.resetCode.submit),
    send: say(accountForms.resetRequest.submit),
    save: say(accountForms.newPassword.submit),
    countdown: new RegExp(`^${countdown}$`),
    messages: {
      confirmed: say(successes.emailConfirmed),
      resent: say(successes.codeResent),
      resetSent: say(successes.resetSent),
      resetVerified: say(successes.resetVerified),
      reset: say(successes.passwordReset),
    },
    refusals: {
      required: say(fieldTexts.required),
      mismatch: say(fieldTexts.passwordsDiffer),
      codeShort: say(fieldTexts.codeMin),
      common: say(refusals.commonPassword),
      wrongCode: say(refusals.wrongCode),
      wrongLogin: say(refusals.wrongLogin),
      early: say(transitions.wait),
      emailPlease: say(failures.emailPlease),
    },
  };
}

export const authTexts = { en: textsOf("en"), ru: textsOf("ru") };

export type AuthTexts = ReturnType<typeof textsOf>;
