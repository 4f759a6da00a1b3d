import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { familyOf } from "./route-families.ts";
import type { FieldRule, Texts } from "./rules.ts";

/** A form of the account area: where a person meets the rules of a call. */
export interface AccountForm {
  readonly route: RouteDefinition;
  /** Its address, with the tab. */
  readonly page: string;
  readonly submit: Texts;
  /** Fields of the call that this form fills by itself, or leaves to another one. */
  readonly without?: readonly string[];
  /** Nothing is checked before it is sent; while the field is empty it cannot be. */
  readonly checkedByServer?: true;
}

const { auth, passwordReset, account, twoFactor } = routes;

const securityPage = "/dashboard/profile?tab=security";

export const accountForms = {
  register: {
    route: auth.register,
    page: "/register",
    submit: { en: "Register", ru: "Регистрация" },
  },
  login: {
    route: auth.login,
    page: "/login",
    submit: { en: "Log in", ru: "Войти" },
    without: ["two_factor_code"],
  },
  loginCode: {
    route: auth.login,
    page: "/login",
    submit: { en: "Log in", ru: "Войти" },
    without: ["email", "password"],
  },
  confirm: {
    route: auth.verifyEmailCode,
    page: "/confirm",
    submit: { en: "Confirm", ru: "Подтвердить" },
  },
  resetRequest: {
    route: passwordReset.forgotPassword,
    page: "/reset-password",
    submit: { en: "Send code", ru: "Отправить код" },
  },
  resetCode: {
    route: passwordReset.verifyResetCode,
    page: "/reset-password/confirm",
    submit: { en: "Continue", ru: "Продолжить" },
  },
  newPassword: {
    route: passwordReset.resetPassword,
    page: "/reset-password/new",
    submit: { en: "Save password", ru: "Сохранить пароль" },
    without: ["email", "code"],
  },
  profile: {
    route: account.updateProfile,
    page: "/dashboard/profile",
    submit: { en: "Save", ru: "Сохранить" },
  },
  email: {
    route: account.updateEmail,
    page: securityPage,
    submit: { en: "Change email", ru: "Изменить e-mail" },
  },
  password: {
    route: account.updatePassword,
    page: securityPage,
    submit: { en: "Change password", ru: "Изменить пароль" },
  },
  enable: {
    route: twoFactor.enableTwoFactor,
    page: securityPage,
    submit: { en: "Enable", ru: "Включить" },
    checkedByServer: true,
  },
  disable: {
    route: twoFactor.disableTwoFactor,
    page: securityPage,
    submit: { en: "Disable", ru: "Отключить" },
    checkedByServer: true,
  },
} as const satisfies Record<string, AccountForm>;

/** The rules of its call that a person can break in the form. */
export function rulesOf({ route, without = [] }: AccountForm): readonly FieldRule[] {
  return familyOf(route).rules.filter(
    ({ typed, field }) => typed !== null && !without.includes(field),
  );
}

/** The labels of the buttons between the forms. */
export const accountButtons = {
  resend: { en: "Resend code", ru: "Отправить код ещё раз" },
  createKey: { en: "Create API key", ru: "Создать API-ключ" },
  copyKey: { en: "Copy", ru: "Скопировать" },
  tryAgain: { en: "Try again", ru: "Повторить" },
  copyCodes: { en: "Copy codes", ru: "Скопировать коды" },
  back: { en: "Go Back", ru: "Назад" },
} as const satisfies Record<string, Texts>;

export const accountLinks = {
  register: { en: "Register", ru: "Зарегистрироваться" },
  login: { en: "Sign in", ru: "Войти" },
  forgot: { en: "Forgot password?", ru: "Забыли пароль?" },
  back: { en: "Back to login", ru: "Вернуться ко входу" },
} as const satisfies Record<string, Texts>;
