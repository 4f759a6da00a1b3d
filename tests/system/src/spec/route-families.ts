import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import {
  codeRules,
  emailChangeRules,
  emailRules,
  loginCodeRules,
  loginRules,
  newPasswordRules,
  passwordChangeRules,
  profileRules,
  termsRules,
} from "./account-rules.ts";
import { amountRules, methodRules } from "./recharge-rules.ts";
import type { FieldRule } from "./rules.ts";
import { rightTicket, ticketRules } from "./ticket-texts.ts";
import { addressRules, cnameRules, domainRules, wizardRules } from "./wizard-rules.ts";

/** A route, a body it takes, and every rule its fields are held to. */
export interface RouteFamily {
  readonly route: RouteDefinition;
  readonly right: Readonly<Record<string, unknown>>;
  readonly rules: readonly FieldRule[];
}

export const label = "k7f3q2m5x9ab.gs.localhost";

export const rightShield = {
  pricing_plan_id: "0197f3a0-0000-7000-8000-000000000001",
  server_name: "Skyline",
  real_ip: "203.0.113.5",
  real_port: 25_565,
  location: "local",
  domain: "play.example.com",
  cname_record: label,
};

export const rightCheckout = { amount: 20, payment_method: "stripe" };

export const credentials = {
  email: "member@example.com",
  password: "correct horse battery",
  password_confirmation: "correct horse battery",
};

export const rightProfile = {
  first_name: "Anna",
  last_name: "Berg",
  address_line_1: "Hauptstr. 1",
  address_line_2: null,
  zip_code: "10115",
  city: "Berlin",
  country: "DE",
  company_name: null,
  vat_id: null,
};

const server: readonly RouteFamily[] = [
  { route: routes.servers.createServer, right: rightShield, rules: wizardRules },
  { route: routes.domains.checkDomain, right: { domain: "play.example.com" }, rules: domainRules },
  {
    route: routes.domains.checkCname,
    right: { domain: "play.example.com", cname_record: label },
    rules: [...domainRules, ...cnameRules],
  },
  {
    route: routes.probes.probe,
    right: { real_ip: "203.0.113.5", real_port: 25_565 },
    rules: addressRules,
  },
];

const money: readonly RouteFamily[] = [
  {
    route: routes.billing.createStripeIntent,
    right: rightCheckout,
    rules: [...amountRules, ...methodRules],
  },
  {
    route: routes.billing.validatePromoCode,
    right: { code: "WELCOME", amount: 20 },
    rules: amountRules,
  },
];

const account: readonly RouteFamily[] = [
  {
    route: routes.auth.register,
    right: { ...credentials, accept_privacy_policy: true },
    rules: [...emailRules, ...newPasswordRules, ...termsRules],
  },
  {
    route: routes.auth.login,
    right: { email: credentials.email, password: credentials.password },
    rules: [...loginRules, ...loginCodeRules],
  },
  { route: routes.tickets.createTicket, right: rightTicket, rules: ticketRules },
  { route: routes.auth.verifyEmailCode, right: { code: "ABCDEFGH" }, rules: codeRules },
  {
    route: routes.auth.resendVerificationCode,
    right: { email: credentials.email },
    rules: emailRules,
  },
  {
    route: routes.passwordReset.forgotPassword,
    right: { email: credentials.email },
    rules: emailRules,
  },
  {
    route: routes.passwordReset.resendResetCode,
    right: { email: credentials.email },
    rules: emailRules,
  },
  {
    route: routes.passwordReset.verifyResetCode,
    right: { email: credentials.email, code: "ABCDEFGH" },
    rules: [...emailRules, ...codeRules],
  },
  {
    route: routes.passwordReset.resetPassword,
    right: { ...credentials, code: "ABCDEFGH" },
    rules: [...codeRules, ...newPasswordRules],
  },
  { route: routes.twoFactor.enableTwoFactor, right: { code: "123456" }, rules: codeRules },
  { route: routes.twoFactor.disableTwoFactor, right: { code: "123456" }, rules: codeRules },
  { route: routes.account.updateProfile, right: rightProfile, rules: profileRules },
  {
    route: routes.account.updateEmail,
    right: { email: "new@example.com", email_confirmation: "new@example.com" },
    rules: emailChangeRules,
  },
  {
    route: routes.account.updatePassword,
    right: {
      current_password: "correct horse battery",
      password: "another good password",
      password_confirmation: "another good password",
    },
    rules: passwordChangeRules,
  },
];

export const families: readonly RouteFamily[] = [...server, ...money, ...account];

export function familyOf(route: RouteDefinition): RouteFamily {
  const family = families.find((each) => each.route.id === route.id);
  if (family === undefined) throw new Error(`no rules are known of ${route.id}`);
  return family;
}
