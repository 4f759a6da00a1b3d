import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiveVisits, type Visits } from "../console/visits.ts";
import { screensOf, type Screen } from "./catalogue.ts";
import { expectNoSidewaysScroll, expectSound, settled, watchForErrors } from "./inspect.ts";
import { opposites } from "./people.ts";
import { setStage, storageOf, type Stage } from "./stage.ts";

/** Every screen in each theme and each language, on a desktop and on phones. */

/** Between the outer two nothing comes or goes that axe could judge: there only the width counts. */
const widths = [1440, 390, 320];
const judgedWidths = new Set([1440, 320]);
let stage: Stage;
let visits: Visits;

beforeAll(async () => {
  stage = await setStage();
  visits = receiveVisits(stage.browser, stage.palisade.consoleUrl);
});

afterAll(async () => {
  await stage?.end();
});

describe.each(opposites)("in the $theme theme, language $locale", (look) => {
  // A page of each person, used for all their screens: what it has loaded it keeps.
  const pages = new Map<Screen["as"], Page>();

  async function pageOf(as: Screen["as"]): Promise<Page> {
    const known = pages.get(as);
    if (known !== undefined) return known;
    const page = await visits.page({ ...look, storage: storageOf(stage, as) });
    pages.set(as, page);
    return page;
  }

  afterAll(async () => {
    await visits.end();
  });

  test.each(screensOf("{id}"))("$name is sound at every width", async (screen) => {
    const page = await pageOf(screen.as);
    const errors = watchForErrors(page);
    await page.goto(screen.path.replace("{id}", stage.shieldId));
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
