import { routes } from "@palisade/contract/http/routes";
import { expect } from "vitest";
import { clipboardOf } from "../profile/stage.ts";
import { totpCode } from "../profile/totp.ts";
import type { Person } from "../screens/people.ts";
import { accountButtons, accountForms } from "./account-forms.ts";
import { messages } from "./account-messages.ts";
import type { Visit } from "./account-visit.ts";

const { transitions, failures, successes, refusals } = messages;
const { account, twoFactor } = routes;
const commonPassword = "password123";
const anotherPassword = "another horse, same stable";

/** Every tab, the change of the password last: it ends the session. */
export async function walkProfile(visit: Visit, person: Person): Promise<void> {
  await saveProfile(visit);
  await switchNotifications(visit);
  await openSecurity(visit);
  await makeKey(visit);
  await changeEmail(visit, person);
  await useTwoFactor(visit);
  await changePassword(visit, person);
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
