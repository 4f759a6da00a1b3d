import { locales } from "@palisade/contract/texts/render";
import { byTurns } from "@palisade/testing/samples";
import { watchForErrors } from "@palisade/system-tests/screens/inspect";
import type { Section } from "@palisade/system-tests/spec/shield-message";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { sectionChecks } from "./section-checks.ts";
import { createShieldPageDriver } from "./shield-page-driver.ts";

/**
 * Every rule and message of a shield's sections, as their pages show it. `spec/answers.test.ts` of
 * the system tests asks the real api for the same words.
 */

/** The browser itself logs this about an answer that is no success. */
const failedToLoad = /Failed to load resource/;
// Its keys: `Object.keys` cannot know.
const sections = Object.keys(sectionChecks) as Section[];
const fixture = useConsole();

describe.each(locales)("every row of the tables is shown, in %s,", (locale) => {
  const group = locales.indexOf(locale);
  test.each(byTurns(sections, group))("in the section %s", async (section) => {
    const page = await fixture.page({ locale });
    const errors = watchForErrors(page, failedToLoad);
    const driver = createShieldPageDriver(fixture.api, page, locale);
    await sectionChecks[section](driver, fixture);
    expect(driver.unseen(section)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
