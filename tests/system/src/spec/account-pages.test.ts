import { createClient } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { locales, type Locale } from "@palisade/contract/texts/render";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setAuthStage, switchTwoFactorOn, type AuthStage } from "../auth/stage.ts";
import { password } from "../product/account.ts";
import { watchForErrors } from "../screens/inspect.ts";
import { newPerson } from "../screens/people.ts";
import { createVisit, unseen } from "./account-visit.ts";
import { walkAuthPages } from "./auth-walk.ts";
import { walkProfile } from "./profile-walk.ts";

/**
 * Every rule and message of the account specification, sections 4, 5 and 8, as its pages show it:
 * one visit of the auth pages and one of the profile, in each language.
 */

/** What the browser itself logs about an answer that is no success. */
const failedToLoad = /Failed to load resource/;
let stage: AuthStage;

beforeAll(async () => {
  stage = await setAuthStage();
});

afterAll(async () => {
  await stage?.end();
});

// In one test, so that whichever tests run, either all rows are looked for or none.
test.each(locales)("no row of the tables is left out, in %s", async (locale) => {
  const seen = new Set<unknown>();
  await visitAuthPages(locale, seen);
  await visitProfile(locale, seen);
  expect(unseen(seen)).toEqual([]);
});

async function visitAuthPages(locale: Locale, seen: Set<unknown>): Promise<void> {
  const { consoleUrl } = stage.palisade;
  const early = `early-${locale}@example.com`;
  const careful = await newPerson(consoleUrl, `careful-${locale}@example.com`);
  await switchTwoFactorOn(careful);
  await createClient({ baseUrl: consoleUrl })(routes.auth.register, {
    body: {
      email: early,
      password,
      password_confirmation: password,
      accept_privacy_policy: true,
    },
  });

  const page = await stage.open("/register", { locale });
  const errors = watchForErrors(page, failedToLoad);
  await walkAuthPages(createVisit(page, locale, seen), { consoleUrl, early, careful });
  expect(errors).toEqual([]);
}

async function visitProfile(locale: Locale, seen: Set<unknown>): Promise<void> {
  const person = await newPerson(stage.palisade.consoleUrl, `person-${locale}@example.com`);
  const storage = { access_token: person.token };
  const page = await stage.open("/dashboard/profile", { locale, storage });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const errors = watchForErrors(page, failedToLoad);
  await walkProfile(createVisit(page, locale, seen), person);
  expect(errors).toEqual([]);
}
