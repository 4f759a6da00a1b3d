import { routes } from "@palisade/contract/http/routes";
import { expect } from "vitest";
import { mailedCodes } from "../auth/fixture.ts";
import { password } from "../product/account.ts";
import { expectSound } from "../screens/inspect.ts";
import type { TestAccount } from "../screens/accounts.ts";
import { accountButtons, accountForms, accountLinks } from "./account-forms.ts";
import { messages } from "./account-messages.ts";
import type { AccountPageDriver } from "./account-page-driver.ts";

const { transitions, failures, successes, refusals } = messages;
const { auth, passwordReset } = routes;
const commonPassword = "password123";
const anotherPassword = "another horse, same stable";
const wrongCode = "ZZZZ2222";

export interface AuthAccounts {
  readonly consoleUrl: string;
  /** The e-mail of an unconfirmed account, with the password of all tests. */
  readonly early: string;
  /** Two-factor is on. */
  readonly careful: TestAccount;
}

/** From registering to a forgotten password, by way of everything that may go wrong. */
export async function checkAuthPages(
  driver: AccountPageDriver,
  accounts: AuthAccounts,
): Promise<void> {
  const { consoleUrl, early, careful } = accounts;
  await register(driver);
  await logIn(driver, early);
  await confirm(driver, early, consoleUrl);
  await enterCode(driver, careful);
  await askForReset(driver, early);
  await enterResetCode(driver, early, consoleUrl);
  await choosePassword(driver);
  await comeTooLate(driver);
  await goAstray(driver);
}

async function register(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.register;
  await driver.checkRules(form);
  const chosen = { password: commonPassword, password_confirmation: commonPassword };
  await driver.fill(form, chosen);
  await driver.send(form);
  await driver.told(refusals.commonPassword);
  await expectSound(driver.page, "refused registration");
  await driver.fill(form, { password, password_confirmation: password });
  await driver.toldOfFailure(failures.register, auth.register, () => driver.send(form));
  await driver.fill(form, { email: `new-${driver.locale}@example.com` });
  await driver.send(form);
  await driver.told(successes.registered);
  await driver.expectPath("/confirm");
  await driver.link(accountLinks.back).click();
  await driver.expectPath("/login");
}

/** Ends at the page that asks for the code of an unconfirmed e-mail. */
async function logIn(driver: AccountPageDriver, email: string): Promise<void> {
  const form = accountForms.login;
  await driver.link(accountLinks.register).click();
  await driver.link(accountLinks.login).click();
  await driver.checkRules(form);
  await driver.send(form);
  await driver.told(refusals.wrongLogin);
  await driver.toldOfFailure(failures.login, auth.login, () => driver.send(form));
  await driver.fill(form, { email, password });
  await driver.send(form);
  await driver.told(successes.codeResent);
  await driver.expectPath("/confirm");
  await driver.acted(transitions.verifyEmail);
}

async function confirm(
  driver: AccountPageDriver,
  email: string,
  consoleUrl: string,
): Promise<void> {
  const form = accountForms.confirm;
  await driver.link(accountLinks.back).waitFor();
  const countdown = new RegExp(
    `^${driver.say(transitions.countdown).replace("{seconds}", String.raw`\d+`)}$`,
  );
  await driver.told(transitions.countdown, countdown);
  await driver.page.getByRole("button", { name: countdown }).click({ force: true });
  await driver.told(transitions.wait);
  await driver.checkRules(form);
  await driver.fill(form, { code: wrongCode });
  await driver.send(form);
  await driver.told(refusals.wrongCode);
  await driver.toldOfFailure(failures.confirm, auth.verifyEmailCode, () => driver.send(form));

  const resend = driver.button(accountButtons.resend);
  // In a browser that knows nothing of the cooldown the server says the same.
  await driver.setStored({ resend_available_at: null });
  await resend.click();
  await driver.told(transitions.wait);
  await driver.setStored({ resend_available_at: null });
  await driver.toldOfFailure(failures.resend, auth.resendVerificationCode, () => resend.click());
  await driver.setStored({ register_data: null });
  await resend.click();
  await driver.told(failures.emailLost);
  await driver.send(form);
  await driver.told(failures.emailLost);
  await driver.setStored({ register_data: JSON.stringify({ email }) });
  const [code = ""] = await mailedCodes(consoleUrl, email, 2);
  await driver.fill(form, { code });
  await driver.send(form);
  await driver.told(successes.emailConfirmed);
  await driver.expectPath("/login");
}

async function enterCode(
  driver: AccountPageDriver,
  { email, password: own }: TestAccount,
): Promise<void> {
  await driver.fill(accountForms.login, { email, password: own });
  await driver.send(accountForms.login);
  const form = accountForms.loginCode;
  await driver.checkRules(form);
  // Right only with one in a hundred thousand.
  await driver.fill(form, { two_factor_code: "000000" });
  await driver.send(form);
  await driver.told(refusals.wrongCode);
  await driver.button(accountLinks.back).click();
  await driver.link(accountLinks.forgot).click();
  await driver.expectPath("/reset-password");
}

async function askForReset(driver: AccountPageDriver, email: string): Promise<void> {
  const form = accountForms.resetRequest;
  await driver.link(accountLinks.back).waitFor();
  await driver.checkRules(form);
  await driver.fill(form, { email: "" });
  await driver.send(form);
  await driver.told(failures.emailPlease);
  await driver.fill(form, { email });
  await driver.toldOfFailure(failures.resetSend, passwordReset.forgotPassword, () =>
    driver.send(form),
  );
  await driver.send(form);
  await driver.told(successes.resetSent);
  await driver.expectPath("/reset-password/confirm");
}

async function enterResetCode(
  driver: AccountPageDriver,
  email: string,
  consoleUrl: string,
): Promise<void> {
  const form = accountForms.resetCode;
  const resend = driver.button(accountButtons.resend);
  await driver.link(accountLinks.back).waitFor();
  await driver.checkRules(form);
  await driver.fill(form, { email: "" });
  await resend.click();
  await driver.told(failures.emailFirst);
  await driver.fill(form, { email, code: wrongCode });
  await driver.toldOfFailure(failures.resetCode, passwordReset.verifyResetCode, () =>
    driver.send(form),
  );
  await driver.send(form);
  await driver.told(refusals.wrongCode);
  await driver.toldOfFailure(failures.resend, passwordReset.resendResetCode, () => resend.click());
  // Another address, as this one has just been mailed a code.
  await driver.fill(form, { email: `other-${email}` });
  await resend.click();
  await driver.told(successes.codeResent);
  // Two of the registration, one of the reset.
  const [code = ""] = await mailedCodes(consoleUrl, email, 3);
  await driver.fill(form, { email, code });
  await driver.send(form);
  await driver.told(successes.resetVerified);
  await driver.expectPath("/reset-password/new");
}

async function choosePassword(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.newPassword;
  await driver.link(accountLinks.back).waitFor();
  await driver.checkRules(form);
  await driver.fill(form, { password: commonPassword, password_confirmation: commonPassword });
  await driver.send(form);
  await driver.told(refusals.commonPassword);
  await driver.fill(form, { password: anotherPassword, password_confirmation: anotherPassword });
  await driver.toldOfFailure(failures.reset, passwordReset.resetPassword, () => driver.send(form));
  await driver.send(form);
  await driver.told(successes.passwordReset);
  await driver.expectPath("/login");
}

/** A reset whose code is lost or used up begins anew. */
async function comeTooLate(driver: AccountPageDriver): Promise<void> {
  await driver.goTo("/reset-password/new");
  await driver.told(transitions.resetExpired);
  await driver.expectPath("/reset-password");

  await driver.setStored({ reset_email: "pending@example.com", reset_code: "ABCD2345" });
  await driver.goTo("/reset-password/new");
  const form = accountForms.newPassword;
  await driver.fill(form, { password, password_confirmation: password });
  await driver.send(form);
  await driver.told(refusals.wrongCode);
  await driver.expectPath("/reset-password/confirm");
  expect(await driver.input(accountForms.resetCode, "email").inputValue()).toBe(
    "pending@example.com",
  );
  await driver.link(accountLinks.back).click();
  await driver.expectPath("/login");
}

async function goAstray(driver: AccountPageDriver): Promise<void> {
  await driver.goTo("/nowhere");
  await driver.told(failures.notFound);
  await driver.page.getByText("404", { exact: true }).waitFor();
  await driver.button(accountButtons.back).click();
  await driver.expectPath("/login");
}
