import { createClient } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { locales, type Locale } from "@palisade/contract/texts/render";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setAuthStage, switchTwoFactorOn, type AuthStage } from "../auth/stage.ts";
import { password } from "../product/account.ts";
import { watchForErrors } from "../screens/inspect.ts";
import { newPerson, type Person } from "../screens/people.ts";
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

describe.each(locales)("in %s", (locale) => {
  const seen = new Set<unknown>();

  test("the auth pages", async () => {
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
  });

  test("the profile", async () => {
    const person = await newPerson(stage.palisade.consoleUrl, `person-${locale}@example.com`);
    const page = await openProfile(person, locale);
    const errors = watchForErrors(page, failedToLoad);
    await walkProfile(createVisit(page, locale, seen), person);
    expect(errors).toEqual([]);
  });

  test("no row of the tables was left out", () => {
    expect(unseen(seen)).toEqual([]);
  });
});

async function openProfile({ token }: Person, locale: Locale): Promise<Page> {
  const storage = { access_token: token };
  const page = await stage.open("/dashboard/profile", { locale, storage });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  return page;
}
