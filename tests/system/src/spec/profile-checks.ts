import { routes } from "@palisade/contract/http/routes";
import { expect } from "vitest";
import { clipboardOf } from "../profile/fixture.ts";
import { totpCode } from "../profile/totp.ts";
import type { TestAccount } from "../screens/accounts.ts";
import { accountButtons, accountForms } from "./account-forms.ts";
import { messages } from "./account-messages.ts";
import type { AccountPageDriver } from "./account-page-driver.ts";

const { transitions, failures, successes, refusals } = messages;
const { twoFactor } = routes;
const commonPassword = "password123";
const anotherPassword = "another horse, same stable";

/** Every tab, the change of the password last: it ends the session. */
export async function checkProfile(driver: AccountPageDriver, account: TestAccount): Promise<void> {
  await saveProfile(driver);
  await switchNotifications(driver);
  await openSecurity(driver);
  await makeKey(driver);
  await changeEmail(driver, account);
  await useTwoFactor(driver);
  await changePassword(driver, account);
}

async function saveProfile(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.profile;
  const save = driver.button(form.submit);
  expect(await save.isDisabled()).toBe(true);
  await driver.checkRules(form);
  await driver.told(transitions.fixErrors);
  await driver.toldOfFailure(failures.profile, routes.account.updateProfile, () =>
    driver.send(form),
  );
  await driver.send(form);
  await driver.told(successes.profileUpdated);
  expect(await save.isDisabled()).toBe(true);
}

async function switchNotifications(driver: AccountPageDriver): Promise<void> {
  await driver.goTo("/dashboard/profile?tab=notifications");
  await driver.page.getByRole("switch").first().click();
  await driver.told(successes.notificationsUpdated);
}

async function openSecurity(driver: AccountPageDriver): Promise<void> {
  await driver.toldOfFailure(failures.setUp, twoFactor.setUpTwoFactor, () =>
    driver.goTo("/dashboard/profile?tab=security"),
  );
  await driver.button(accountButtons.tryAgain).click();
}

async function makeKey(driver: AccountPageDriver): Promise<void> {
  const create = driver.button(accountButtons.createKey);
  await driver.toldOfFailure(failures.regenerateKey, routes.account.regenerateApiKey, () =>
    create.click(),
  );
  await create.click();
  await driver.told(successes.keyRegenerated);
  await driver.button(accountButtons.copyKey).first().click();
  await driver.told(successes.keyCopied);
}

async function changeEmail(driver: AccountPageDriver, { email: own }: TestAccount): Promise<void> {
  const form = accountForms.email;
  await driver.checkRules(form);
  await driver.fill(form, { email: own, email_confirmation: own });
  await driver.told(transitions.sameEmail);
  const wanted = `new-${own}`;
  await driver.fill(form, { email: wanted, email_confirmation: wanted });
  await driver.toldOfFailure(failures.email, routes.account.updateEmail, () => driver.send(form));
  await driver.send(form);
  await driver.told(successes.emailUpdated);
}

async function useTwoFactor(driver: AccountPageDriver): Promise<void> {
  const { page } = driver;
  const { enable, disable } = accountForms;
  await driver.checkRules(enable);
  await driver.fill(enable, { code: "000000" });
  await driver.send(enable);
  await driver.told(refusals.wrongCode);
  const secret = await page.locator("form:has([name=code]) code").innerText();
  await driver.fill(enable, { code: totpCode(secret) });
  await driver.toldOfFailure(failures.enable, twoFactor.enableTwoFactor, () => driver.send(enable));
  await driver.send(enable);
  await driver.told(successes.twoFactorOn);

  const copy = driver.button(accountButtons.copyCodes);
  await copy.click();
  await driver.told(successes.backupCodesCopied);
  const [backupCode = ""] = (await clipboardOf(page)).split("\n");
  await driver.checkRules(disable);
  await driver.fill(disable, { code: "000000" });
  await driver.send(disable);
  await driver.told(refusals.wrongCode);
  await driver.toldOfFailure(failures.disable, twoFactor.disableTwoFactor, () =>
    driver.send(disable),
  );

  // Ten minutes later the codes are only counted.
  const answer = { backup_codes: [], left: 10, made_at: "2026-01-01T00:00:00Z" };
  await page.route("**/backup-codes", (call) => call.fulfill({ json: answer }));
  await page.reload();
  await copy.click();
  await driver.told(failures.noBackupCodes);
  await driver.fill(disable, { code: backupCode });
  await driver.send(disable);
  await driver.told(successes.twoFactorOff);
}

async function changePassword(
  driver: AccountPageDriver,
  { password: own }: TestAccount,
): Promise<void> {
  const form = accountForms.password;
  const fill = (current: string, next: string) =>
    driver.fill(form, { current_password: current, password: next, password_confirmation: next });
  await driver.checkRules(form);
  await driver.toldOfFailure(failures.password, routes.account.updatePassword, () =>
    driver.send(form),
  );
  await fill("not this one", anotherPassword);
  await driver.send(form);
  await driver.told(refusals.wrongPassword);
  await fill(own, commonPassword);
  await driver.send(form);
  await driver.told(refusals.commonPassword);
  await fill(own, anotherPassword);
  await driver.send(form);
  await driver.told(successes.passwordUpdated);
  await driver.expectPath("/login");
}
