import type { ErrorCode } from "@palisade/contract/errors/codes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import type { Texts } from "./rules.ts";

/**
 * A binding message of the account pages: its occasion, its answer and its page. The page shows
 * the API's own words (`answer`) as they are. If an answer has none (`wordless`) the page shows
 * this text; other messages come from the page itself.
 */
export interface Message extends Texts {
  readonly when: string;
  /** The address of the page, with the tab. */
  readonly page: string;
  /** The page acts on the answer instead of showing it. */
  readonly isActedOn?: true;
  readonly answer?: Answer;
  readonly wordless?: readonly RouteDefinition[];
}

export interface Answer {
  /** Each of these calls says so. */
  readonly routes: readonly RouteDefinition[];
  readonly status: number;
  readonly code?: ErrorCode;
  /** The field it stands beside. */
  readonly field?: string;
}

const { auth, passwordReset, account, twoFactor } = routes;
const done = (...answering: readonly RouteDefinition[]): Answer => ({
  routes: answering,
  status: 200,
});

/** Messages of a change of state, and refusals that concern no single field. */
const transitions = {
  verifyEmail: {
    when: "a right password of an account whose e-mail is not confirmed",
    page: "/login",
    isActedOn: true,
    answer: { routes: [auth.login], status: 403, code: "email_unverified" },
    en: "Please verify your email before logging in",
    ru: "Подтвердите e-mail перед входом",
  },
  countdown: {
    when: "a code was sent less than 120 seconds ago",
    page: "/confirm",
    en: "Resend available in {seconds} sec",
    ru: "Повторная отправка через {seconds} с",
  },
  wait: {
    when: "another code is asked for less than 120 seconds after one",
    page: "/confirm",
    answer: {
      routes: [
        auth.resendVerificationCode,
        passwordReset.forgotPassword,
        passwordReset.resendResetCode,
      ],
      status: 429,
      code: "rate_limited",
    },
    en: "Please wait 2 minutes before resending the code.",
    ru: "Подождите 2 минуты, прежде чем отправлять код ещё раз.",
  },
  resetExpired: {
    when: "e-mail or code of a reset are missing at its last step",
    page: "/reset-password",
    en: "Your password reset has expired. Please start again.",
    ru: "Время для сброса пароля истекло. Начните заново.",
  },
  fixErrors: {
    when: "a profile with a wrong field is saved",
    page: "/dashboard/profile",
    answer: { routes: [account.updateProfile], status: 422, code: "validation_failed" },
    en: "Please fix validation errors",
    ru: "Исправьте ошибки в форме",
  },
  sameEmail: {
    when: "the e-mail is to be changed to what it is",
    page: "/dashboard/profile?tab=security",
    answer: {
      routes: [account.updateEmail],
      status: 422,
      code: "validation_failed",
      field: "email",
    },
    en: "New email must be different from current email",
    ru: "Новый e-mail должен отличаться от текущего",
  },
} as const satisfies Record<string, Message>;

/** Messages of a failed call. */
const failures = {
  register: {
    when: "registration fails",
    page: "/register",
    wordless: [auth.register],
    en: "Registration failed",
    ru: "Не удалось зарегистрироваться",
  },
  login: {
    when: "login fails",
    page: "/login",
    wordless: [auth.login],
    en: "Login failed",
    ru: "Не удалось войти",
  },
  confirm: {
    when: "the code of an e-mail cannot be checked",
    page: "/confirm",
    wordless: [auth.verifyEmailCode],
    en: "Failed to confirm email. Wrong code",
    ru: "Не удалось подтвердить e-mail. Неверный код",
  },
  resetSend: {
    when: "a reset code cannot be sent",
    page: "/reset-password",
    wordless: [passwordReset.forgotPassword],
    en: "Failed to send the reset code. Please try again later.",
    ru: "Не удалось отправить код сброса. Повторите позже.",
  },
  resetCode: {
    when: "a reset code cannot be checked",
    page: "/reset-password/confirm",
    wordless: [passwordReset.verifyResetCode],
    en: "The code is invalid or has expired",
    ru: "Код неверен или устарел",
  },
  reset: {
    when: "a new password cannot be set",
    page: "/reset-password/new",
    wordless: [passwordReset.resetPassword],
    en: "Failed to reset password",
    ru: "Не удалось сбросить пароль",
  },
  resend: {
    when: "another code cannot be sent",
    page: "/confirm",
    wordless: [auth.resendVerificationCode, passwordReset.resendResetCode],
    en: "Failed to resend code. Please try again later.",
    ru: "Не удалось отправить код. Повторите позже.",
  },
  emailLost: {
    when: "another code is asked for and no e-mail is kept",
    page: "/confirm",
    en: "Email not found. Please register again.",
    ru: "E-mail не найден. Зарегистрируйтесь ещё раз.",
  },
  emailFirst: {
    when: "another reset code is asked for without an e-mail",
    page: "/reset-password/confirm",
    en: "Enter your email first.",
    ru: "Сначала введите e-mail.",
  },
  emailPlease: {
    when: "a reset is asked for without an e-mail",
    page: "/reset-password",
    en: "Please enter your email.",
    ru: "Введите e-mail.",
  },
  profile: {
    when: "a profile cannot be saved",
    page: "/dashboard/profile",
    wordless: [account.updateProfile],
    en: "Failed to update profile",
    ru: "Не удалось обновить профиль",
  },
  setUp: {
    when: "no secret can be made",
    page: "/dashboard/profile?tab=security",
    wordless: [twoFactor.setUpTwoFactor],
    en: "Failed to setup 2FA",
    ru: "Не удалось настроить 2FA",
  },
  enable: {
    when: "two-factor cannot be enabled",
    page: "/dashboard/profile?tab=security",
    wordless: [twoFactor.enableTwoFactor],
    en: "Failed to enable 2FA",
    ru: "Не удалось включить 2FA",
  },
  disable: {
    when: "two-factor cannot be disabled",
    page: "/dashboard/profile?tab=security",
    wordless: [twoFactor.disableTwoFactor],
    en: "Failed to disable 2FA",
    ru: "Не удалось отключить 2FA",
  },
  regenerateKey: {
    when: "no API key can be made",
    page: "/dashboard/profile?tab=security",
    wordless: [account.regenerateApiKey],
    en: "Failed to regenerate API key",
    ru: "Не удалось перевыпустить API-ключ",
  },
  noBackupCodes: {
    when: "backup codes are copied that are no longer shown",
    page: "/dashboard/profile?tab=security",
    en: "No backup codes to copy",
    ru: "Нет резервных кодов для копирования",
  },
  email: {
    when: "the e-mail cannot be changed",
    page: "/dashboard/profile?tab=security",
    wordless: [account.updateEmail],
    en: "Failed to update email",
    ru: "Не удалось изменить e-mail",
  },
  password: {
    when: "the password cannot be changed",
    page: "/dashboard/profile?tab=security",
    wordless: [account.updatePassword],
    en: "Failed to update password",
    ru: "Не удалось изменить пароль",
  },
  notFound: {
    when: "nothing is at an address",
    page: "*",
    en: "Page not found",
    ru: "Страница не найдена",
  },
} as const satisfies Record<string, Message>;

/** Success messages, and the answers that are the same whether or not the account exists. */
const successes = {
  registered: {
    when: "a person registers, whether or not the address is taken",
    page: "/register",
    answer: { routes: [auth.register], status: 201 },
    en: "We have sent you a code. Please check your email.",
    ru: "Мы отправили вам код. Проверьте почту.",
  },
  resetSent: {
    when: "a reset is asked for, whether or not the address has an account",
    page: "/reset-password",
    answer: done(passwordReset.forgotPassword),
    en: "If there is an account with this address, we have sent it a code. Please check your email.",
    ru: "Если аккаунт с этим адресом есть, мы отправили на него код. Проверьте почту.",
  },
  codeResent: {
    when: "another code was sent",
    page: "/confirm",
    answer: done(auth.resendVerificationCode, passwordReset.resendResetCode),
    en: "Code resent successfully. Please check your email.",
    ru: "Код отправлен ещё раз. Проверьте почту.",
  },
  emailConfirmed: {
    when: "the code of an e-mail is right",
    page: "/confirm",
    answer: done(auth.verifyEmailCode),
    en: "Email confirmed",
    ru: "E-mail подтверждён",
  },
  resetVerified: {
    when: "a reset code is right",
    page: "/reset-password/confirm",
    answer: done(passwordReset.verifyResetCode),
    en: "Reset code verified successfully",
    ru: "Код сброса подтверждён",
  },
  passwordReset: {
    when: "a new password is set after a reset",
    page: "/reset-password/new",
    answer: done(passwordReset.resetPassword),
    en: "Password reset successfully",
    ru: "Пароль изменён",
  },
  profileUpdated: {
    when: "a profile is saved",
    page: "/dashboard/profile",
    answer: done(account.updateProfile),
    en: "Profile updated successfully",
    ru: "Профиль обновлён",
  },
  notificationsUpdated: {
    when: "the e-mail toggle is switched",
    page: "/dashboard/profile?tab=notifications",
    answer: done(account.updateNotifications),
    en: "Email notifications updated successfully",
    ru: "Настройки e-mail-уведомлений обновлены",
  },
  keyRegenerated: {
    when: "an API key is made",
    page: "/dashboard/profile?tab=security",
    answer: done(account.regenerateApiKey),
    en: "API key regenerated successfully",
    ru: "Новый API-ключ создан",
  },
  keyCopied: {
    when: "the API key is copied",
    page: "/dashboard/profile?tab=security",
    en: "API key copied to clipboard",
    ru: "API-ключ скопирован в буфер обмена",
  },
  backupCodesCopied: {
    when: "backup codes are copied",
    page: "/dashboard/profile?tab=security",
    en: "Backup codes copied to clipboard",
    ru: "Резервные коды скопированы в буфер обмена",
  },
  twoFactorOn: {
    when: "two-factor is enabled",
    page: "/dashboard/profile?tab=security",
    answer: done(twoFactor.enableTwoFactor),
    en: "Two-factor authentication enabled successfully",
    ru: "Двухфакторная аутентификация включена",
  },
  twoFactorOff: {
    when: "two-factor is disabled",
    page: "/dashboard/profile?tab=security",
    answer: done(twoFactor.disableTwoFactor),
    en: "Two-factor authentication disabled successfully",
    ru: "Двухфакторная аутентификация отключена",
  },
  emailUpdated: {
    when: "another e-mail is wanted",
    page: "/dashboard/profile?tab=security",
    answer: done(account.updateEmail),
    en: "Email updated successfully. Please check the new address for a verification link",
    ru: "E-mail обновлён. Откройте ссылку, отправленную на новый адрес",
  },
  passwordUpdated: {
    when: "the password is changed",
    page: "/dashboard/profile?tab=security",
    answer: done(account.updatePassword),
    en: "Password updated successfully",
    ru: "Пароль обновлён",
  },
} as const satisfies Record<string, Message>;

/** Refusals: wrong credentials or codes, expired resets, missing recent authentication. */
const refusals = {
  wrongLogin: {
    when: "e-mail and password do not belong together",
    page: "/login",
    answer: { routes: [auth.login], status: 422, code: "invalid_credentials" },
    en: "Wrong e-mail or password",
    ru: "Неверный e-mail или пароль",
  },
  wrongCode: {
    when: "a code is wrong",
    page: "/confirm",
    answer: {
      routes: [
        auth.login,
        auth.verifyEmailCode,
        passwordReset.verifyResetCode,
        passwordReset.resetPassword,
        twoFactor.enableTwoFactor,
        twoFactor.disableTwoFactor,
      ],
      status: 422,
      code: "invalid_code",
    },
    en: "The code is wrong or has expired",
    ru: "Код неверен или устарел",
  },
  wrongPassword: {
    when: "the current password is wrong",
    page: "/dashboard/profile?tab=security",
    answer: { routes: [account.updatePassword], status: 422, code: "invalid_credentials" },
    en: "The current password is wrong",
    ru: "Текущий пароль неверен",
  },
  commonPassword: {
    when: "a password is one of the most common",
    page: "/register",
    answer: {
      routes: [auth.register, passwordReset.resetPassword, account.updatePassword],
      status: 422,
      code: "validation_failed",
      field: "password",
    },
    en: "This password is too common. Choose another one",
    ru: "Этот пароль слишком распространён. Выберите другой",
  },
} as const satisfies Record<string, Message>;

export const messages = { transitions, failures, successes, refusals };

export const allMessages: readonly Message[] = Object.values(messages).flatMap((group) =>
  Object.values<Message>(group),
);
