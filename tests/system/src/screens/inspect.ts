import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { elementsOf, fingerprint, type Fingerprint } from "./fingerprint.ts";
import { isWhole } from "@palisade/testing/samples";

/** Collects what a page must never do: log an error, throw, break the content policy. */
export function watchForErrors(page: Page, expected: RegExp = /^$/): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
}

/** The page has its heading, its fonts, and nothing on it is still loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.evaluate("document.fonts.ready.then(() => undefined)");
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Nothing axe knows to be wrong, and nothing wider than the window. */
export async function expectSound(page: Page, what: string): Promise<void> {
  await expectNoSidewaysScroll(page, what);
  expect(await axeViolations(page), what).toEqual([]);
}

/** Pages and colours in which axe has found nothing wrong, in this process: see `fingerprint`. */
const checkedStructures = new Set<string>();
const checkedColours = new Set<string>();

/**
 * The page as it is now. axe takes longer than the page itself, and most of a page is the same in
 * many tests: contrasts are checked of texts that look as none did before, and all else where the
 * page is built as none was before.
 */
async function axeViolations(page: Page): Promise<string[]> {
  const { structure, colours } = await page.evaluate<Fingerprint>(fingerprint);
  const newColours = colours.filter((colour) => !checkedColours.has(colour));
  const violations = [
    ...(checkedStructures.has(structure) ? [] : await runAxe(page, "document", allButContrast)),
    ...(newColours.length === 0
      ? []
      : await runAxe(page, elementsOf(newColours), { runOnly: [contrast] })),
  ];
  if (violations.length > 0) return violations;
  checkedStructures.add(structure);
  for (const colour of newColours) checkedColours.add(colour);
  return [];
}

const contrast = "color-contrast";
const allButContrast: RunOptions = { rules: { [contrast]: { enabled: false } } };
/** Only a rule that is experimental, and so not run, reads the style sheets that axe would load again. */
const always: RunOptions = { resultTypes: ["violations"], reporter: "v2", preload: false };

/**
 * axe is loaded into a page once and asked for violations only: its list of passed rules is longer
 * than the page itself.
 *
 * @param context the code of what axe is to look at
 */
async function runAxe(page: Page, context: string, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe);
  const whole = JSON.stringify({ ...always, ...options });
  const { violations } = await page.evaluate<Pick<AxeResults, "violations">>(
    `axe.run(${context}, ${whole}).then(({ violations }) => ({ violations }))`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}

/**
 * At the width of a desktop and of the narrowest phone, and no wider than the window of another: no
 * element appears or disappears between the phones, so axe looks at that one in the whole run only. The
 * page then has its width again.
 */
export async function expectSoundEverywhere(page: Page, what: string, height = 900): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1440, height });
  await expectSound(page, `${what} at 1440 px`);
  await page.setViewportSize({ width: 390, height });
  const inspect = isWhole() ? expectSound : expectNoSidewaysScroll;
  await inspect(page, `${what} at 390 px`);
  await page.setViewportSize({ width: 320, height });
  await expectSound(page, `${what} at 320 px`);
  if (before !== null) await page.setViewportSize(before);
}

/** Polled: after a change of width, React replaces tables by cards one render later. */
export async function expectNoSidewaysScroll(page: Page, what: string): Promise<void> {
  const tooWide = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
  const cap = { message: `${what}: px too wide`, timeout: 30_000 };
  await expect.poll(tooWide, cap).toBeLessThanOrEqual(0);
}

/** Entirely in the window, and not covered. */
export function isInWindow(place: Locator): Promise<boolean> {
  return place.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const middle = element.ownerDocument.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return (
      top >= 0 &&
      bottom <= element.ownerDocument.documentElement.clientHeight &&
      element.contains(middle)
    );
  });
}
