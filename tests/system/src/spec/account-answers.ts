import { CallError, createClient, type Client } from "@palisade/contract/http/client";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import type { Locale } from "@palisade/contract/texts/render";
import { expect } from "vitest";
import { z } from "zod";
import { mailedCodes } from "../auth/fixture.ts";
import { password } from "../product/account.ts";
import { totpCode } from "../profile/totp.ts";
import { allMessages, messages, type Answer, type Message } from "./account-messages.ts";
import { rightProfile } from "./route-families.ts";

type Body = Readonly<Record<string, unknown>>;
type Says = (message: Answered, route: RouteDefinition, body?: Body) => Promise<unknown>;
type Answered = Message & { readonly answer: Answer };

const { transitions, successes, refusals } = messages;
const { auth, passwordReset, account, twoFactor } = routes;
const commonPassword = "password123";
const anotherPassword = "another horse, same stable";
const wrongCode = "ZZZZ2222";
const wrongDigits = "000000";

const loggedIn = z.object({ access_token: z.string() });
const codesMade = z.object({ backup_codes: z.array(z.string()) });

/**
 * Calls the API so that it gives every answer of the table, and compares the words.
 * The clock must not have moved: codes of authenticators go by the one on the wall.
 */
export async function expectAnswers(consoleUrl: string, locale: Locale): Promise<void> {
  const email = `answers-${locale}@example.com`;
  const seen = new Set<string>();
  let token: string | undefined;
  const call = createClient({
    baseUrl: consoleUrl,
    headers: () => ({
      "accept-language": locale,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }),
  });
  const says: Says = async (message, route, body) => {
    const { status, code, field } = message.answer;
    const { data, said, ...answer } = await answerOf(call, route, body, field);
    expect({ route: route.id, said, ...answer }).toEqual({
      route: route.id,
      said: message[locale],
      status,
      code,
    });
    seen.add(keyOf(message, route));
    return data;
  };
  const newestCode = async (count: number) =>
    (await mailedCodes(consoleUrl, email, count))[0] ?? "";

  await becomeSomebody(says, email, newestCode);
  const { data } = await call(auth.login, { body: { email, password } });
  token = loggedIn.parse(data).access_token;
  await keepProfile(says, email);
  await useTwoFactor(says, email, (await call(twoFactor.setUpTwoFactor, {})).data.secret);
  await changePassword(says);
  token = undefined;
  await forgetPassword(says, email, newestCode);
  expect(unseen(seen)).toEqual([]);
}

async function becomeSomebody(
  says: Says,
  email: string,
  newestCode: (count: number) => Promise<string>,
): Promise<void> {
  const wanted = { email, accept_privacy_policy: true };
  const passwords = (chosen: string) => ({ password: chosen, password_confirmation: chosen });
  await says(refusals.commonPassword, auth.register, { ...wanted, ...passwords(commonPassword) });
  await says(successes.registered, auth.register, { ...wanted, ...passwords(password) });
  await says(refusals.wrongLogin, auth.login, { email, password: anotherPassword });
  await says(transitions.verifyEmail, auth.login, { email, password });
  await says(successes.codeResent, auth.resendVerificationCode, { email });
  await says(transitions.wait, auth.resendVerificationCode, { email });
  await says(refusals.wrongCode, auth.verifyEmailCode, { email, code: wrongCode });
  const code = await newestCode(2);
  await says(successes.emailConfirmed, auth.verifyEmailCode, { email, code });
}

async function keepProfile(says: Says, email: string): Promise<void> {
  await says(transitions.fixErrors, account.updateProfile, { ...rightProfile, city: "" });
  await says(successes.profileUpdated, account.updateProfile, rightProfile);
  await says(successes.notificationsUpdated, account.updateNotifications, {
    email_notifications: false,
  });
  await says(successes.keyRegenerated, account.regenerateApiKey);
  await says(transitions.sameEmail, account.updateEmail, { email, email_confirmation: email });
  const wanted = `new-${email}`;
  await says(successes.emailUpdated, account.updateEmail, {
    email: wanted,
    email_confirmation: wanted,
  });
}

async function useTwoFactor(says: Says, email: string, secret: string): Promise<void> {
  await says(refusals.wrongCode, twoFactor.enableTwoFactor, { code: wrongDigits });
  const { backup_codes: codes } = codesMade.parse(
    await says(successes.twoFactorOn, twoFactor.enableTwoFactor, { code: totpCode(secret) }),
  );
  await says(refusals.wrongCode, auth.login, { email, password, two_factor_code: wrongDigits });
  await says(refusals.wrongCode, twoFactor.disableTwoFactor, { code: wrongDigits });
  await says(successes.twoFactorOff, twoFactor.disableTwoFactor, { code: codes[0] });
}

async function changePassword(says: Says): Promise<void> {
  const change = (current: string, next: string) => ({
    current_password: current,
    password: next,
    password_confirmation: next,
  });
  const route = account.updatePassword;
  await says(refusals.wrongPassword, route, change(anotherPassword, anotherPassword));
  await says(refusals.commonPassword, route, change(password, commonPassword));
  await says(successes.passwordUpdated, route, change(password, anotherPassword));
}

async function forgetPassword(
  says: Says,
  email: string,
  newestCode: (count: number) => Promise<string>,
): Promise<void> {
  // Another address, as either call begins the wait for both.
  for (const [route, sent, to] of [
    [passwordReset.forgotPassword, successes.resetSent, email],
    [passwordReset.resendResetCode, successes.codeResent, `other-${email}`],
  ] as const) {
    await says(sent, route, { email: to });
    await says(transitions.wait, route, { email: to });
  }
  // Two of the registration, one of the reset.
  const code = await newestCode(3);
  await says(refusals.wrongCode, passwordReset.verifyResetCode, { email, code: wrongCode });
  await says(successes.resetVerified, passwordReset.verifyResetCode, { email, code });
  const route = passwordReset.resetPassword;
  const reset = (mailed: string, next: string) => ({
    email,
    code: mailed,
    password: next,
    password_confirmation: next,
  });
  await says(refusals.wrongCode, route, reset(wrongCode, password));
  await says(refusals.commonPassword, route, reset(code, commonPassword));
  await says(successes.passwordReset, route, reset(code, password));
}

const spoken = z.object({ message: z.string() });

async function answerOf(call: Client, route: RouteDefinition, body?: Body, field?: string) {
  try {
    const { data } = await call(route, { body });
    return { data, said: spoken.parse(data).message, status: route.success, code: undefined };
  } catch (error) {
    if (!(error instanceof CallError) || error.problem === null) throw error;
    const { message, issues, status, code } = error.problem;
    const beside = issues.find(({ path }) => path === field)?.message;
    return { data: null, said: field === undefined ? message : beside, status, code };
  }
}

function keyOf({ when }: Message, { id }: RouteDefinition): string {
  return `${when}: ${id}`;
}

/** Answers of the table that were not met. */
function unseen(seen: ReadonlySet<string>): string[] {
  return allMessages
    .flatMap((message) => message.answer?.routes.map((route) => keyOf(message, route)) ?? [])
    .filter((key) => !seen.has(key));
}
