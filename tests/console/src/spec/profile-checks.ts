import { routes } from "@palisade/contract/http/routes";
import { exampleValues } from "@palisade/contract/reference/example-values";
import { clipboardOf } from "@palisade/system-tests/console/pages";
import { accountButtons, accountForms } from "@palisade/system-tests/spec/account-forms";
import { messages } from "@palisade/system-tests/spec/account-messages";
import { expect } from "vitest";
import type { ConsoleFixture } from "../console-fixture.ts";
import type { AccountPageDriver } from "./account-page-driver.ts";

const { transitions, failures, successes, refusals } = messages;
const { account, twoFactor } = routes;
const commonPassword = "password123";
const anotherPassword = "another horse, same stable";
const ownPassword = "correct horse battery";

type Check = (driver: AccountPageDriver, fixture: ConsoleFixture) => Promise<void>;

/** Each tab of the profile with everything that may go wrong on it, by its address. */
export const profileChecks: Readonly<Record<string, Check>> = {
  "/dashboard/profile": checkGeneral,
  "/dashboard/profile?tab=notifications": checkNotifications,
  "/dashboard/profile?tab=security": checkSecurity,
};

async function checkGeneral(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.profile;
  const save = driver.button(form.submit);
  const send = () => driver.send(form);
  await driver.open("/dashboard/profile");
  expect(await save.isDisabled()).toBe(true);
  await driver.checkRules(form);
  await driver.told(transitions.fixErrors);
  await driver.toldOfFailure(failures.profile, account.updateProfile, send);
  await driver.toldByApi(successes.profileUpdated, account.updateProfile, send);
  expect(await save.isDisabled()).toBe(true);
}

async function checkNotifications(driver: AccountPageDriver): Promise<void> {
  await driver.open("/dashboard/profile?tab=notifications");
  await driver.toldByApi(successes.notificationsUpdated, account.updateNotifications, () =>
    driver.page.getByRole("switch").first().click(),
  );
}

/** Every panel, the change of the password last: it ends the session. */
async function checkSecurity(driver: AccountPageDriver, fixture: ConsoleFixture): Promise<void> {
  fixture.state.profile = {
    ...fixture.state.profile,
    api_key: null,
    two_factor_enabled: false,
  };
  await driver.toldOfFailure(failures.setUp, twoFactor.setUpTwoFactor, () =>
    driver.open("/dashboard/profile?tab=security"),
  );
  await driver.button(accountButtons.tryAgain).click();
  await makeKey(driver);
  await changeEmail(driver, fixture.state.profile.email);
  await useTwoFactor(driver, fixture);
  await changePassword(driver);
}

async function makeKey(driver: AccountPageDriver): Promise<void> {
  const create = () => driver.button(accountButtons.createKey).click();
  await driver.toldOfFailure(failures.regenerateKey, account.regenerateApiKey, create);
  await driver.toldByApi(successes.keyRegenerated, account.regenerateApiKey, create);
  await driver.button(accountButtons.copyKey).first().click();
  await driver.told(successes.keyCopied);
  expect(await clipboardOf(driver.page)).toBe(exampleValues["api_key"]);
}

async function changeEmail(driver: AccountPageDriver, own: string): Promise<void> {
  const form = accountForms.email;
  const send = () => driver.send(form);
  await driver.checkRules(form);
  await driver.fill(form, { email: own, email_confirmation: own });
  await driver.told(transitions.sameEmail);
  const wanted = `new-${own}`;
  await driver.fill(form, { email: wanted, email_confirmation: wanted });
  await driver.toldOfFailure(failures.email, account.updateEmail, send);
  await driver.toldByApi(successes.emailUpdated, account.updateEmail, send);
}

async function useTwoFactor(driver: AccountPageDriver, { api }: ConsoleFixture): Promise<void> {
  const { page } = driver;
  const { enable, disable } = accountForms;
  const sendEnable = () => driver.send(enable);
  const sendDisable = () => driver.send(disable);
  await driver.checkRules(enable);
  await driver.fill(enable, { code: "000000" });
  await driver.toldByApi(refusals.wrongCode, twoFactor.enableTwoFactor, sendEnable);
  await driver.toldOfFailure(failures.enable, twoFactor.enableTwoFactor, sendEnable);
  await driver.toldByApi(successes.twoFactorOn, twoFactor.enableTwoFactor, sendEnable);

  const copy = driver.button(accountButtons.copyCodes);
  await copy.click();
  await driver.told(successes.backupCodesCopied);
  expect((await clipboardOf(page)).split("\n")).toEqual(exampleValues["backup_codes"]);
  await driver.checkRules(disable);
  await driver.fill(disable, { code: "000000" });
  await driver.toldByApi(refusals.wrongCode, twoFactor.disableTwoFactor, sendDisable);
  await driver.toldOfFailure(failures.disable, twoFactor.disableTwoFactor, sendDisable);

  // Ten minutes later the codes are only counted.
  api.change(twoFactor.getBackupCodes, (usual) => ({ ...usual, backup_codes: [] }));
  await page.reload();
  await copy.click();
  await driver.told(failures.noBackupCodes);
  await driver.fill(disable, { code: "000000" });
  await driver.toldByApi(successes.twoFactorOff, twoFactor.disableTwoFactor, sendDisable);
}

async function changePassword(driver: AccountPageDriver): Promise<void> {
  const form = accountForms.password;
  const send = () => driver.send(form);
  const fill = (next: string) =>
    driver.fill(form, {
      current_password: ownPassword,
      password: next,
      password_confirmation: next,
    });
  await driver.checkRules(form);
  await driver.toldOfFailure(failures.password, account.updatePassword, send);
  await fill(anotherPassword);
  await driver.toldByApi(refusals.wrongPassword, account.updatePassword, send);
  await fill(commonPassword);
  await driver.toldByApi(refusals.commonPassword, account.updatePassword, send);
  await fill(anotherPassword);
  await driver.toldByApi(successes.passwordUpdated, account.updatePassword, send);
  await driver.expectPath("/login");
}
