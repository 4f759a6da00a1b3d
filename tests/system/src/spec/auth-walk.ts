import { routes } from "@palisade/contract/http/routes";
import { expect } from "vitest";
import { mailedCodes } from "../auth/stage.ts";
import { password } from "../product/account.ts";
import { expectSound } from "../screens/inspect.ts";
import type { Person } from "../screens/people.ts";
import { accountButtons, accountForms, accountLinks } from "./account-forms.ts";
import { messages } from "./account-messages.ts";
import type { Visit } from "./account-visit.ts";

const { transitions, failures, successes, refusals } = messages;
const { auth, passwordReset } = routes;
const commonPassword = "password123";
const anotherPassword = "another horse, same stable";
const wrongCode = "ZZZZ2222";

export interface AuthVisitors {
  readonly consoleUrl: string;
  /** The e-mail of an account that nobody has confirmed, with the password of all tests. */
  readonly early: string;
  /** Two-factor is on. */
  readonly careful: Person;
}

/** From registering to a forgotten password, by way of everything that may go wrong. */
export async function walkAuthPages(visit: Visit, visitors: AuthVisitors): Promise<void> {
  const { consoleUrl, early, careful } = visitors;
  await register(visit);
  await logIn(visit, early);
  await confirm(visit, early, consoleUrl);
  await enterCode(visit, careful);
  await askForReset(visit, early);
  await enterResetCode(visit, early, consoleUrl);
  await choosePassword(visit);
  await comeTooLate(visit);
  await goAstray(visit);
}

async function register(visit: Visit): Promise<void> {
  const form = accountForms.register;
  await visit.walkRules(form);
  const chosen = { password: commonPassword, password_confirmation: commonPassword };
  await visit.fill(form, chosen);
  await visit.send(form);
  await visit.told(refusals.commonPassword);
  await expectSound(visit.page, "refused registration");
  await visit.fill(form, { password, password_confirmation: password });
  await visit.toldOfFailure(failures.register, auth.register, () => visit.send(form));
  await visit.fill(form, { email: `new-${visit.locale}@example.com` });
  await visit.send(form);
  await visit.told(successes.registered);
  await visit.expectPath("/confirm");
  await visit.link(accountLinks.back).click();
  await visit.expectPath("/login");
}

/** Ends at the page that asks for the code of an e-mail nobody has confirmed. */
async function logIn(visit: Visit, email: string): Promise<void> {
  const form = accountForms.login;
  await visit.link(accountLinks.register).click();
  await visit.link(accountLinks.login).click();
  await visit.walkRules(form);
  await visit.send(form);
  await visit.told(refusals.wrongLogin);
  await visit.toldOfFailure(failures.login, auth.login, () => visit.send(form));
  await visit.fill(form, { email, password });
  await visit.send(form);
  await visit.told(successes.codeResent);
  await visit.expectPath("/confirm");
  await visit.acted(transitions.verifyEmail);
}

async function confirm(visit: Visit, email: string, consoleUrl: string): Promise<void> {
  const form = accountForms.confirm;
  await visit.link(accountLinks.back).waitFor();
  const countdown = new RegExp(
    `^${visit.say(transitions.countdown).replace("{seconds}", String.raw`\d+`)}$`,
  );
  await visit.told(transitions.countdown, countdown);
  await visit.page.getByRole("button", { name: countdown }).click({ force: true });
  await visit.told(transitions.wait);
  await visit.walkRules(form);
  await visit.fill(form, { code: wrongCode });
  await visit.send(form);
  await visit.told(refusals.wrongCode);
  await visit.toldOfFailure(failures.confirm, auth.verifyEmailCode, () => visit.send(form));

  const resend = visit.button(accountButtons.resend);
  // In a browser that knows nothing of the cooldown the server says the same.
  await visit.setStored({ resend_available_at: null });
  await resend.click();
  await visit.told(transitions.wait);
  await visit.setStored({ resend_available_at: null });
  await visit.toldOfFailure(failures.resend, auth.resendVerificationCode, () => resend.click());
  await visit.setStored({ register_data: null });
  await resend.click();
  await visit.told(failures.emailLost);
  await visit.send(form);
  await visit.told(failures.emailLost);
  await visit.setStored({ register_data: JSON.stringify({ email }) });
  const [code = ""] = await mailedCodes(consoleUrl, email, 2);
  await visit.fill(form, { code });
  await visit.send(form);
  await visit.told(successes.emailConfirmed);
  await visit.expectPath("/login");
}

async function enterCode(visit: Visit, { email, password: own }: Person): Promise<void> {
  await visit.fill(accountForms.login, { email, password: own });
  await visit.send(accountForms.login);
  const form = accountForms.loginCode;
  await visit.walkRules(form);
  // Right only with one in a hundred thousand.
  await visit.fill(form, { two_factor_code: "000000" });
  await visit.send(form);
  await visit.told(refusals.wrongCode);
  await visit.button(accountLinks.back).click();
  await visit.link(accountLinks.forgot).click();
  await visit.expectPath("/reset-password");
}

async function askForReset(visit: Visit, email: string): Promise<void> {
  const form = accountForms.resetRequest;
  await visit.link(accountLinks.back).waitFor();
  await visit.walkRules(form);
  await visit.fill(form, { email: "" });
  await visit.send(form);
  await visit.told(failures.emailPlease);
  await visit.fill(form, { email });
  await visit.toldOfFailure(failures.resetSend, passwordReset.forgotPassword, () =>
    visit.send(form),
  );
  await visit.send(form);
  await visit.told(successes.resetSent);
  await visit.expectPath("/reset-password/confirm");
}

async function enterResetCode(visit: Visit, email: string, consoleUrl: string): Promise<void> {
  const form = accountForms.resetCode;
  const resend = visit.button(accountButtons.resend);
  await visit.link(accountLinks.back).waitFor();
  await visit.walkRules(form);
  await visit.fill(form, { email: "" });
  await resend.click();
  await visit.told(failures.emailFirst);
  await visit.fill(form, { email, code: wrongCode });
  await visit.toldOfFailure(failures.resetCode, passwordReset.verifyResetCode, () =>
    visit.send(form),
  );
  await visit.send(form);
  await visit.told(refusals.wrongCode);
  await visit.toldOfFailure(failures.resend, passwordReset.resendResetCode, () => resend.click());
  // Another address, as this one has just been mailed a code.
  await visit.fill(form, { email: `other-${email}` });
  await resend.click();
  await visit.told(successes.codeResent);
  // Two of the registration, one of the reset.
  const [code = ""] = await mailedCodes(consoleUrl, email, 3);
  await visit.fill(form, { email, code });
  await visit.send(form);
  await visit.told(successes.resetVerified);
  await visit.expectPath("/reset-password/new");
}

async function choosePassword(visit: Visit): Promise<void> {
  const form = accountForms.newPassword;
  await visit.link(accountLinks.back).waitFor();
  await visit.walkRules(form);
  await visit.fill(form, { password: commonPassword, password_confirmation: commonPassword });
  await visit.send(form);
  await visit.told(refusals.commonPassword);
  await visit.fill(form, { password: anotherPassword, password_confirmation: anotherPassword });
  await visit.toldOfFailure(failures.reset, passwordReset.resetPassword, () => visit.send(form));
  await visit.send(form);
  await visit.told(successes.passwordReset);
  await visit.expectPath("/login");
}

/** A reset whose code is lost or used up begins anew. */
async function comeTooLate(visit: Visit): Promise<void> {
  await visit.goTo("/reset-password/new");
  await visit.told(transitions.resetExpired);
  await visit.expectPath("/reset-password");

  await visit.setStored({ reset_email: "pending@example.com", reset_code: "ABCD2345" });
  await visit.goTo("/reset-password/new");
  const form = accountForms.newPassword;
  await visit.fill(form, { password, password_confirmation: password });
  await visit.send(form);
  await visit.told(refusals.wrongCode);
  await visit.expectPath("/reset-password/confirm");
  expect(await visit.input(accountForms.resetCode, "email").inputValue()).toBe(
    "pending@example.com",
  );
  await visit.link(accountLinks.back).click();
  await visit.expectPath("/login");
}

async function goAstray(visit: Visit): Promise<void> {
  await visit.goTo("/nowhere");
  await visit.told(failures.notFound);
  await visit.page.getByText("404", { exact: true }).waitFor();
  await visit.button(accountButtons.back).click();
  await visit.expectPath("/login");
}
