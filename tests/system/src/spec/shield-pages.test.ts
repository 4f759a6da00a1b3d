import { locales } from "@palisade/contract/texts/render";
import pg from "pg";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../console/browser.ts";
import { createConsolePages } from "../console/pages.ts";
import { createShield } from "../product/account.ts";
import { databaseOf, removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { watchForErrors } from "../screens/inspect.ts";
import { createAccount } from "../screens/accounts.ts";
import { createShieldPageDriver } from "./shield-page-driver.ts";
import { checkLockedSections, checkSections } from "./section-checks.ts";

/** Every rule and message of a shield's sections, as their pages show it: one visit in each language. */

/** The browser itself logs this about an answer that is no success. */
const failedToLoad = /Failed to load resource/;

let home: string;
let palisade: Palisade;
let browser: Browser;

beforeAll(async () => {
  [home, browser] = await Promise.all([createPreparedHome(), launchBrowser()]);
  palisade = await startPalisade(home);
});

afterAll(async () => {
  await browser?.close();
  await palisade?.stop();
  if (home !== undefined) await removeHome(home);
});

// In one test, so that whichever tests run, either all rows are looked for or none.
test.each(locales)("no row of the tables is left out, in %s", async (locale) => {
  const account = await createAccount(palisade.consoleUrl, `${locale}@example.com`);
  const backend = { host: "127.0.0.1", port: 25_565 };
  const shield = await createShield(account.call, backend, `${locale}.example.com`);
  await changeShield(
    "pricing_plan_id = (select id from pricing_plans where slug = 'network')",
    shield.id,
  );
  const pages = createConsolePages(browser, palisade.consoleUrl);
  const page = await pages.page({ locale, token: account.token });
  const errors = watchForErrors(page, failedToLoad);
  const driver = createShieldPageDriver(page, locale, shield.id);
  await changeShield("status = 'expired'", shield.id);
  await checkLockedSections(driver);
  await changeShield("status = 'active'", shield.id);
  await checkSections(driver, account, shield);
  expect(driver.unseen()).toEqual([]);
  expect(errors).toEqual([]);
  await pages.end();
});

/** States that only money or time would bring about otherwise. */
async function changeShield(change: string, id: string): Promise<void> {
  const { ownerUrl } = await databaseOf(home);
  const database = new pg.Client(ownerUrl);
  await database.connect();
  await database.query(`update shields set ${change} where id = $1`, [id]);
  await database.end();
}
