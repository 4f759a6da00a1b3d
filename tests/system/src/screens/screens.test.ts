import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConsolePages, type ConsolePages } from "../console/pages.ts";
import { screensOf, type Screen } from "./catalogue.ts";
import { expectNoSidewaysScroll, expectSound, settled, watchForErrors } from "./inspect.ts";
import { oppositeAppearances } from "./accounts.ts";
import { startScreensFixture, storageOf, type ScreensFixture } from "./fixture.ts";

/** Every screen in each theme and each language, on a desktop and on phones. */

/** Between the outer two nothing comes or goes that axe could judge: there only the width counts. */
const widths = [1440, 390, 320];
const judgedWidths = new Set([1440, 320]);
let fixture: ScreensFixture;
let consolePages: ConsolePages;

beforeAll(async () => {
  fixture = await startScreensFixture();
  consolePages = createConsolePages(fixture.browser, fixture.palisade.consoleUrl);
});

afterAll(async () => {
  await fixture?.end();
});

describe.each(oppositeAppearances)("in the $theme theme, language $locale", (look) => {
  // A page of each person, used for all their screens: what it has loaded it keeps.
  const pages = new Map<Screen["as"], Page>();

  async function pageOf(as: Screen["as"]): Promise<Page> {
    const known = pages.get(as);
    if (known !== undefined) return known;
    const page = await consolePages.page({ ...look, storage: storageOf(fixture, as) });
    pages.set(as, page);
    return page;
  }

  afterAll(async () => {
    await consolePages.end();
  });

  test.each(screensOf("{id}"))("$name is sound at every width", async (screen) => {
    const page = await pageOf(screen.as);
    const errors = watchForErrors(page);
    await page.goto(screen.path.replace("{id}", fixture.shieldId));
    await settled(page);
    expect(await page.evaluate("document.documentElement.lang")).toBe(look.locale);
    expect(await page.title()).toMatch(/Palisade$/);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const what = `${screen.name} at ${width} px`;
      await (judgedWidths.has(width) ? expectSound : expectNoSidewaysScroll)(page, what);
    }
    expect(errors).toEqual([]);
  });
});
