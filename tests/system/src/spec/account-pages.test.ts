import { createClient } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { locales, type Locale } from "@palisade/contract/texts/render";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailedCodes, setAuthStage, switchTwoFactorOn, type AuthStage } from "../auth/stage.ts";
import { password } from "../product/account.ts";
import { clipboardOf } from "../profile/stage.ts";
import { totpCode } from "../profile/totp.ts";
import { expectSound, watchForErrors } from "../screens/inspect.ts";
import { newPerson, type Person } from "../screens/people.ts";
import { accountButtons, accountForms, accountLinks } from "./account-forms.ts";
import { messages } from "./account-messages.ts";
import { createVisit, unseen, type Visit } from "./account-visit.ts";

/**
 * Every rule and message of the account specification, sections 4, 5 and 8, as its pages show it:
 * one visit of the auth pages and one of the profile, in each language.
 */

const { transitions, failures, successes, refusals } = messages;
const { auth, passwordReset, account, twoFactor } = routes;
/** What the browser itself logs about an answer that is no success. */
const failedToLoad = /Failed to load resource/;
const commonPassword = "password123";
const anotherPassword = "another horse, same stable";
const wrongCode = "ZZZZ2222";
let stage: AuthStage;

beforeAll(async () => {
  stage = await setAuthStage();
});

afterAll(async () => {
  await stage?.end();
});

describe.each(locales)("in %s", (locale) => {
  const seen = new Set<unknown>();

  test("the auth pages", async () => {
    const { consoleUrl } = stage.palisade;
    const early = `early-${locale}@example.com`;
    const careful = await newPerson(consoleUrl, `careful-${locale}@example.com`);
    await switchTwoFactorOn(careful);
    await createClient({ baseUrl: consoleUrl })(auth.register, {
      body: {
        email: early,
        password,
        password_confirmation: password,
        accept_privacy_policy: true,
      },
    });

    const page = await stage.open("/register", { locale });
    const errors = watchForErrors(page, failedToLoad);
    const visit = createVisit(page, locale, seen);
    await register(visit);
    await logIn(visit, early);
    await confirm(visit, early);
    await enterCode(visit, careful);
    await askForReset(visit, early);
    await enterResetCode(visit, early);
    await choosePassword(visit);
    await comeTooLate(visit);
    await goAstray(visit);
    expect(errors).toEqual([]);
  });

  test("the profile", async () => {
    const person = await newPerson(stage.palisade.consoleUrl, `person-${locale}@example.com`);
    const page = await openProfile(person, locale);
    const errors = watchForErrors(page, failedToLoad);
    const visit = createVisit(page, locale, seen);
    await saveProfile(visit);
    await switchNotifications(visit);
    await openSecurity(visit);
    await makeKey(visit);
    await changeEmail(visit, person);
    await useTwoFactor(visit);
    await changePassword(visit, person);
    expect(errors).toEqual([]);
  });

  test("no row of the tables was left out", () => {
    expect(unseen(seen)).toEqual([]);
  });
});

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

async function confirm(visit: Visit, email: string): Promise<void> {
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
  const [code = ""] = await mailedCodes(stage.palisade.consoleUrl, email, 2);
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

async function enterResetCode(visit: Visit, email: string): Promise<void> {
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
  await resend.click();
  await visit.told(successes.codeResent);
  // Two of the registration, two of the reset.
  const [code = ""] = await mailedCodes(stage.palisade.consoleUrl, email, 4);
  await visit.fill(form, { code });
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

async function openProfile({ token }: Person, locale: Locale): Promise<Page> {
  const storage = { access_token: token };
  const page = await stage.open("/dashboard/profile", { locale, storage });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  return page;
}

async function saveProfile(visit: Visit): Promise<void> {
  const form = accountForms.profile;
  const save = visit.button(form.submit);
  expect(await save.isDisabled()).toBe(true);
  await visit.walkRules(form);
  await visit.told(transitions.fixErrors);
  await visit.toldOfFailure(failures.profile, account.updateProfile, () => visit.send(form));
  await visit.send(form);
  await visit.told(successes.profileUpdated);
  expect(await save.isDisabled()).toBe(true);
}

async function switchNotifications(visit: Visit): Promise<void> {
  await visit.goTo("/dashboard/profile?tab=notifications");
  await visit.page.getByRole("switch").first().click();
  await visit.told(successes.notificationsUpdated);
}

async function openSecurity(visit: Visit): Promise<void> {
  await visit.toldOfFailure(failures.setUp, twoFactor.setUpTwoFactor, () =>
    visit.goTo("/dashboard/profile?tab=security"),
  );
  await visit.button(accountButtons.tryAgain).click();
}

async function makeKey(visit: Visit): Promise<void> {
  const create = visit.button(accountButtons.createKey);
  await visit.toldOfFailure(failures.regenerateKey, account.regenerateApiKey, () => create.click());
  await create.click();
  await visit.told(successes.keyRegenerated);
  await visit.button(accountButtons.copyKey).first().click();
  await visit.told(successes.keyCopied);
}

async function changeEmail(visit: Visit, { email: own }: Person): Promise<void> {
  const form = accountForms.email;
  await visit.walkRules(form);
  await visit.fill(form, { email: own, email_confirmation: own });
  await visit.told(transitions.sameEmail);
  const wanted = `new-${own}`;
  await visit.fill(form, { email: wanted, email_confirmation: wanted });
  await visit.toldOfFailure(failures.email, account.updateEmail, () => visit.send(form));
  await visit.send(form);
  await visit.told(successes.emailUpdated);
}

async function useTwoFactor(visit: Visit): Promise<void> {
  const { page } = visit;
  const { enable, disable } = accountForms;
  await visit.walkRules(enable);
  await visit.fill(enable, { code: "000000" });
  await visit.send(enable);
  await visit.told(refusals.wrongCode);
  const secret = await page.locator("form:has([name=code]) code").innerText();
  await visit.fill(enable, { code: totpCode(secret) });
  await visit.toldOfFailure(failures.enable, twoFactor.enableTwoFactor, () => visit.send(enable));
  await visit.send(enable);
  await visit.told(successes.twoFactorOn);

  const copy = visit.button(accountButtons.copyCodes);
  await copy.click();
  await visit.told(successes.backupCodesCopied);
  const [backupCode = ""] = (await clipboardOf(page)).split("\n");
  await visit.walkRules(disable);
  await visit.fill(disable, { code: "000000" });
  await visit.send(disable);
  await visit.told(refusals.wrongCode);
  await visit.toldOfFailure(failures.disable, twoFactor.disableTwoFactor, () =>
    visit.send(disable),
  );

  // Ten minutes later the codes are only counted.
  const answer = { backup_codes: [], left: 10, made_at: "2026-01-01T00:00:00Z" };
  await page.route("**/backup-codes", (call) => call.fulfill({ json: answer }));
  await page.reload();
  await copy.click();
  await visit.told(failures.noBackupCodes);
  await visit.fill(disable, { code: backupCode });
  await visit.send(disable);
  await visit.told(successes.twoFactorOff);
}

async function changePassword(visit: Visit, { password: own }: Person): Promise<void> {
  const form = accountForms.password;
  const fill = (current: string, next: string) =>
    visit.fill(form, { current_password: current, password: next, password_confirmation: next });
  await visit.walkRules(form);
  await visit.toldOfFailure(failures.password, account.updatePassword, () => visit.send(form));
  await fill("not this one", anotherPassword);
  await visit.send(form);
  await visit.told(refusals.wrongPassword);
  await fill(own, commonPassword);
  await visit.send(form);
  await visit.told(refusals.commonPassword);
  await fill(own, anotherPassword);
  await visit.send(form);
  await visit.told(successes.passwordUpdated);
  await visit.expectPath("/login");
}
