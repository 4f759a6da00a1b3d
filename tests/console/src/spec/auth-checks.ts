import { routes } from "@palisade/contract/http/routes";
import { password } from "@palisade/system-tests/product/account";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import {
  accountButtons,
  accountForms,
  accountLinks,
} from "@palisade/system-tests/spec/account-forms";
import { messages } from "@palisade/system-tests/spec/account-messages";
import { expect } from "vitest";
import type { AccountPageDriver } from "./account-page-driver.ts";

const { transitions, failures, successes, refusals } = messages;
const { auth, passwordReset } = routes;
const commonPassword = "password123";
const email = "pending@example.com";
const code = "ABCD2345";
const wrongCode = "ZZZZ2222";

/** The browser keeps this of a registration and of a reset that are not finished. */
export const unfinishedSteps = {
  register_data: JSON.stringify({ email }),
  reset_email: email,
};

/** Each auth page with everything that may go wrong on it, by its path; `*` stands for any other. */
export const authChecks: Readonly<Record<string, (driver: AccountPageDriver) => Promise<void>>> = {
  "/register": checkRegister,
  "/login": checkLogin,
  "/confirm": checkConfirm,
  "/reset-password": checkResetRequest,
  "/reset-password/confirm": checkResetCode,
  "/reset-password/new": checkNewPassword,
  "*": checkUnknownAddress,
};

async function checkRegister(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.register;
  const send = () => driver.send(form);
  await driver.open("/register");
  await driver.checkRules(form);
  const chosen = { password: commonPassword, password_confirmation: commonPassword };
  await driver.fill(form, chosen);
  await driver.toldByApi(refusals.commonPassword, auth.register, send);
  await expectSound(driver.page, "refused registration");
  await driver.fill(form, { password, password_confirmation: password });
  await driver.toldOfFailure(failures.register, auth.register, send);
  await driver.toldByApi(successes.registered, auth.register, send);
  await driver.expectPath("/confirm");
  await driver.link(accountLinks.back).click();
  await driver.expectPath("/login");
}

async function checkLogin(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.login;
  const send = () => driver.send(form);
  await driver.open("/login");
  await driver.link(accountLinks.register).click();
  await driver.link(accountLinks.login).click();
  await driver.checkRules(form);
  await driver.toldByApi(refusals.wrongLogin, auth.login, send);
  await driver.toldOfFailure(failures.login, auth.login, send);
  await driver.ledByApi(transitions.verifyEmail, auth.login, send, "/confirm");
  await driver.link(accountLinks.back).click();
  await checkLoginCode(driver);
}

/** The second step of an account with two-factor. */
async function checkLoginCode(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.loginCode;
  await driver.fill(accountForms.login, { email, password });
  await driver.send(accountForms.login);
  await driver.checkRules(form);
  await driver.fill(form, { two_factor_code: "000000" });
  await driver.toldByApi(refusals.wrongCode, auth.login, () => driver.send(form));
  await driver.button(accountLinks.back).click();
  await driver.link(accountLinks.forgot).click();
  await driver.expectPath("/reset-password");
}

async function checkConfirm(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.confirm;
  const send = () => driver.send(form);
  const resend = driver.button(accountButtons.resend);
  const resendAgain = () => resend.click();
  await driver.open("/confirm");
  await driver.link(accountLinks.back).waitFor();
  await driver.toldByApi(successes.codeResent, auth.resendVerificationCode, resendAgain);
  const countdown = new RegExp(
    `^${driver.say(transitions.countdown).replace("{seconds}", String.raw`\d+`)}$`,
  );
  await driver.told(transitions.countdown, countdown);
  await driver.page.getByRole("button", { name: countdown }).click({ force: true });
  await driver.told(transitions.wait);
  await driver.checkRules(form);
  await driver.fill(form, { code: wrongCode });
  await driver.toldByApi(refusals.wrongCode, auth.verifyEmailCode, send);
  await driver.toldOfFailure(failures.confirm, auth.verifyEmailCode, send);

  // In a browser that knows nothing of the cooldown the server says the same.
  await driver.setStored({ resend_available_at: null });
  await driver.toldByApi(transitions.wait, auth.resendVerificationCode, resendAgain);
  await driver.setStored({ resend_available_at: null });
  await driver.toldOfFailure(failures.resend, auth.resendVerificationCode, resendAgain);
  await driver.setStored({ register_data: null });
  await resendAgain();
  await driver.told(failures.emailLost);
  await send();
  await driver.told(failures.emailLost);
  await driver.setStored({ register_data: unfinishedSteps.register_data });
  await driver.toldByApi(successes.emailConfirmed, auth.verifyEmailCode, send);
  await driver.expectPath("/login");
}

async function checkResetRequest(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.resetRequest;
  const send = () => driver.send(form);
  await driver.open("/reset-password");
  await driver.link(accountLinks.back).waitFor();
  await driver.checkRules(form);
  await driver.fill(form, { email: "" });
  await send();
  await driver.told(failures.emailPlease);
  await driver.fill(form, { email });
  await driver.toldOfFailure(failures.resetSend, passwordReset.forgotPassword, send);
  await driver.toldByApi(transitions.wait, passwordReset.forgotPassword, send);
  await driver.toldByApi(successes.resetSent, passwordReset.forgotPassword, send);
  await driver.expectPath("/reset-password/confirm");

  await driver.setStored({ reset_email: null });
  await driver.goTo("/reset-password/new");
  await driver.told(transitions.resetExpired);
  await driver.expectPath("/reset-password");
}

async function checkResetCode(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.resetCode;
  const send = () => driver.send(form);
  const resend = () => driver.button(accountButtons.resend).click();
  await driver.open("/reset-password/confirm");
  await driver.link(accountLinks.back).waitFor();
  await driver.checkRules(form);
  await driver.fill(form, { email: "" });
  await resend();
  await driver.told(failures.emailFirst);
  await driver.fill(form, { email, code: wrongCode });
  await driver.toldOfFailure(failures.resetCode, passwordReset.verifyResetCode, send);
  await driver.toldByApi(refusals.wrongCode, passwordReset.verifyResetCode, send);
  await driver.toldOfFailure(failures.resend, passwordReset.resendResetCode, resend);
  await driver.toldByApi(successes.codeResent, passwordReset.resendResetCode, resend);
  await driver.toldByApi(successes.resetVerified, passwordReset.verifyResetCode, send);
  await driver.expectPath("/reset-password/new");
}

async function checkNewPassword(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.newPassword;
  const send = () => driver.send(form);
  await driver.open("/reset-password/new");
  await driver.link(accountLinks.back).waitFor();
  // The browser stores no code, so after a reload the page asks for it.
  await driver.fill(form, { code });
  await driver.checkRules(form);
  await driver.fill(form, { password: commonPassword, password_confirmation: commonPassword });
  await driver.toldByApi(refusals.commonPassword, passwordReset.resetPassword, send);
  await driver.fill(form, { password, password_confirmation: password });
  await driver.toldOfFailure(failures.reset, passwordReset.resetPassword, send);

  // A code that is used up begins anew.
  await driver.toldByApi(refusals.wrongCode, passwordReset.resetPassword, send);
  await driver.expectPath("/reset-password/confirm");
  expect(await driver.input(accountForms.resetCode, "email").inputValue()).toBe(email);

  await driver.setStored(unfinishedSteps);
  await driver.goTo("/reset-password/new");
  await driver.fill(form, { code, password, password_confirmation: password });
  await driver.toldByApi(successes.passwordReset, passwordReset.resetPassword, send);
  await driver.expectPath("/login");
}

async function checkUnknownAddress(driver: AccountPageDriver): Promise<void> {
  await driver.open("/login");
  await driver.goTo("/nowhere");
  await driver.told(failures.notFound);
  await driver.page.getByText("404", { exact: true }).waitFor();
  await driver.button(accountButtons.back).click();
  await driver.expectPath("/login");
}
