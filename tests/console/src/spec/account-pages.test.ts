import { locales } from "@palisade/contract/texts/render";
import { clipboardPermissions } from "@palisade/system-tests/console/pages";
import { byTurns } from "@palisade/testing/samples";
import { watchForErrors } from "@palisade/system-tests/screens/inspect";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { accountPages, createAccountPageDriver } from "./account-page-driver.ts";
import { authChecks, unfinishedSteps } from "./auth-checks.ts";
import { profileChecks } from "./profile-checks.ts";

/**
 * The account pages show every binding rule and message. `spec/answers.test.ts` of the system tests
 * asks the real api for the same words.
 */

/** The browser itself logs this about an answer that is no success. */
const failedToLoad = /Failed to load resource/;
const fixture = useConsole();

test("every row of the tables belongs to a page that is looked at", () => {
  const checked = [...Object.keys(authChecks), ...Object.keys(profileChecks)];
  expect(new Set(checked)).toEqual(accountPages);
});

describe.each(locales)("every row of the tables is shown, in %s,", (locale) => {
  const group = locales.indexOf(locale);
  test.each(byTurns(Object.keys(authChecks), group))("on %s", async (path) => {
    fixture.state.user = { ...fixture.state.user, two_factor_enabled: true };
    const page = await fixture.page({ locale, isStranger: true, storage: unfinishedSteps });
    const errors = watchForErrors(page, failedToLoad);
    const driver = createAccountPageDriver(fixture.api, page, locale);
    await authChecks[path]?.(driver);
    expect(driver.unseen(path)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test.each(byTurns(Object.keys(profileChecks), group))("on %s", async (path) => {
    const page = await fixture.page({ locale, permissions: clipboardPermissions });
    const errors = watchForErrors(page, failedToLoad);
    const driver = createAccountPageDriver(fixture.api, page, locale);
    await profileChecks[path]?.(driver, fixture);
    expect(driver.unseen(path)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
