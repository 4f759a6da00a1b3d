import { createClient } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { locales, type Locale } from "@palisade/contract/texts/render";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAuthFixture, turnOnTwoFactor, type AuthFixture } from "../auth/fixture.ts";
import { password } from "../product/account.ts";
import { watchForErrors } from "../screens/inspect.ts";
import { createAccount } from "../screens/accounts.ts";
import { createAccountPageDriver, unseen } from "./account-page-driver.ts";
import { checkAuthPages } from "./auth-checks.ts";
import { checkProfile } from "./profile-checks.ts";

/**
 * The account pages show every binding rule and message: one test of the auth pages and one of the
 * profile in each language.
 */

/** The browser itself logs this about an answer that is no success. */
const failedToLoad = /Failed to load resource/;
let fixture: AuthFixture;

beforeAll(async () => {
  fixture = await startAuthFixture();
});

afterAll(async () => {
  await fixture?.end();
});

// In one test, so that whichever tests run, either all rows are looked for or none.
test.each(locales)("no row of the tables is left out, in %s", async (locale) => {
  const seen = new Set<unknown>();
  await driveAuthPages(locale, seen);
  await driveProfile(locale, seen);
  expect(unseen(seen)).toEqual([]);
});

async function driveAuthPages(locale: Locale, seen: Set<unknown>): Promise<void> {
  const { consoleUrl } = fixture.palisade;
  const early = `early-${locale}@example.com`;
  const careful = await createAccount(consoleUrl, `careful-${locale}@example.com`);
  await turnOnTwoFactor(careful);
  await createClient({ baseUrl: consoleUrl })(routes.auth.register, {
    body: {
      email: early,
      password,
      password_confirmation: password,
      accept_privacy_policy: true,
    },
  });

  const page = await fixture.open("/register", { locale });
  const errors = watchForErrors(page, failedToLoad);
  await checkAuthPages(createAccountPageDriver(page, locale, seen), { consoleUrl, early, careful });
  expect(errors).toEqual([]);
}

async function driveProfile(locale: Locale, seen: Set<unknown>): Promise<void> {
  const account = await createAccount(fixture.palisade.consoleUrl, `account-${locale}@example.com`);
  const storage = { access_token: account.token };
  const page = await fixture.open("/dashboard/profile", { locale, storage });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const errors = watchForErrors(page, failedToLoad);
  await checkProfile(createAccountPageDriver(page, locale, seen), account);
  expect(errors).toEqual([]);
}
