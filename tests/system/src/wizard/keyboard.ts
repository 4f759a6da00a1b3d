import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";

/** Presses Tab until the element has the focus; a page one cannot get through ends the test. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const focused = target.and(page.locator(":focus"));
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target.toString()}`);
}

export async function hasFocus(page: Page, target: Locator): Promise<void> {
  await until(async () => (await target.and(page.locator(":focus")).count()) === 1, {
    what: `the focus on ${target.toString()}`,
  });
}
