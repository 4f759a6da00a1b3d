import { locales } from "@palisade/contract/texts/render";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import pg from "pg";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../console/browser.ts";
import { createConsolePages } from "../console/pages.ts";
import { createShield } from "../product/account.ts";
import {
  databaseOf,
  removeHome,
  runCommand,
  startPalisade,
  type Palisade,
} from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { settled } from "../screens/inspect.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { dashboardTexts, overviewTexts, rechargeTexts, wizardTexts } from "./page-texts.ts";
import { amountRules } from "./recharge-rules.ts";
import type { FieldRule, Texts } from "./rules.ts";
import { addressRules, domainRules, nameRules } from "./wizard-rules.ts";

/** Every rule and message of wizard, dashboard, overview and recharge modal, as the pages show it. */

let home: string;
let palisade: Palisade;
let browser: Browser;
let zone: FakeZone;

beforeAll(async () => {
  [home, zone, browser] = await Promise.all([
    createPreparedHome(),
    startFakeZone(),
    launchBrowser(),
  ]);
  palisade = await startPalisade(home, { PALISADE_DNS_RESOLVERS: zone.address });
  await runCommand(home, ["promo", "add", "TABLE10", "--percent", "10"]);
});

afterAll(async () => {
  await browser?.close();
  await palisade?.stop();
  await zone?.close();
  if (home !== undefined) await removeHome(home);
});

/** An answer without a message of its own: the page must show its own text. */
const brokenAnswer = { status: 502, contentType: "text/html", body: "Bad gateway" };

describe.each(locales)("in %s", (locale) => {
  let account: TestAccount;
  let page: Page;
  const say = (texts: Texts): string => texts[locale];
  const expectShown = (texts: Texts) =>
    page.getByText(say(texts), { exact: true }).first().waitFor();
  const press = (texts: Texts) =>
    page
      .getByRole("button", { name: say(texts), exact: true })
      .first()
      .click();
  const field = (texts: Texts) => page.getByRole("textbox", { name: say(texts), exact: true });
  const expectStep = (index: number) =>
    page
      .getByRole("heading", {
        name: say(wizardTexts.steps[index] ?? wizardTexts.next),
        exact: true,
      })
      .waitFor();

  beforeAll(async () => {
    account = await createAccount(palisade.consoleUrl, `${locale}@example.com`);
    page = await createConsolePages(browser, palisade.consoleUrl).page({
      locale,
      token: account.token,
    });
  });

  afterAll(async () => {
    await page?.context().close();
  });

  async function expectRefusals(
    rules: readonly FieldRule[],
    labels: Readonly<Record<string, Texts>>,
  ) {
    for (const rule of rules) {
      const label = labels[rule.field];
      if (typeof rule.typed !== "string" || label === undefined) continue;
      const input = field(label);
      const right = await input.inputValue();
      await input.fill(rule.typed);
      await press(wizardTexts.next);
      await expectShown(rule);
      await expectShown(wizardTexts.invalid);
      await input.fill(right);
    }
  }

  test("an empty dashboard says what it is for, with the four figures", async () => {
    await page.goto("/dashboard");
    for (const texts of [...dashboardTexts.stats, ...dashboardTexts.empty])
      await expectShown(texts);
    await expectShown(dashboardTexts.servers);
    expect(await page.getByRole("link", { name: say(dashboardTexts.add) }).count()).toBeGreaterThan(
      0,
    );
  });

  test("a dashboard that cannot be loaded says what failed", async () => {
    await page.route("**/api/v1/profile/dashboard", (route) => route.fulfill(brokenAnswer));
    await page.route("**/api/v1/servers?*", (route) => route.fulfill(brokenAnswer));
    await page.goto("/dashboard");
    for (const texts of dashboardTexts.errors) await expectShown(texts);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("the recharge modal holds to every rule and says so", async () => {
    const modal = rechargeTexts;
    await page.goto("/dashboard/billing");
    await settled(page);
    await expectShown(modal.empty);
    await press(modal.open);
    for (const texts of modal.summary) await expectShown(texts);
    await press(modal.apply);
    await expectShown(modal.amountFirst);
    for (const rule of amountRules.filter(({ typed }) => typed)) {
      await field(modal.amount).fill(rule.typed || "");
      await page.getByRole("button", { name: modal.pay[locale] }).click();
      await expectShown(rule);
    }
    await field(modal.amount).fill("");
    await field(modal.amount).pressSequentially("1e-3.0");
    expect(await field(modal.amount).inputValue()).toMatch(/^\d*$/);
    await field(modal.amount).fill("20");
    await field(modal.coupon).fill("NOSUCHCODE");
    await press(modal.apply);
    await expectShown(modal.badCode);
    await field(modal.coupon).fill("TABLE10");
    await press(modal.apply);
    const applied = page.getByText(say(modal.applied));
    await applied.waitFor();
    // Editing the amount clears what was applied.
    await field(modal.amount).fill("30");
    await applied.waitFor({ state: "detached" });
    await field(modal.coupon).fill("");
    await page.route("**/api/v1/billing/stripe/create-intent", (route) =>
      route.fulfill(brokenAnswer),
    );
    await page.getByRole("button", { name: modal.pay[locale] }).click();
    await expectShown(modal.error);
    expect(await field(modal.amount).inputValue()).toBe("30");
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("a plan the balance does not cover keeps the wizard from going on", async () => {
    await page.goto("/dashboard/setup");
    await settled(page);
    await expectStep(0);
    await page.getByRole("radio", { name: /^Plus/ }).check();
    await press(wizardTexts.next);
    await expectShown(wizardTexts.insufficient);
    await expectStep(0);
    await page.getByRole("radio", { name: /^Free/ }).check();
    await press(wizardTexts.next);
    await expectStep(1);
  });

  test("names and addresses are held to their rules", async () => {
    await expectRefusals(nameRules, { server_name: wizardTexts.name });
    await field(wizardTexts.name).fill("Skyline");
    await press(wizardTexts.next);
    await expectStep(2);
    await field(wizardTexts.ip).fill("127.0.0.1");
    await field(wizardTexts.port).fill("25565");
    await expectRefusals(addressRules, { real_ip: wizardTexts.ip, real_port: wizardTexts.port });
    await press(wizardTexts.next);
    await expectStep(3);
    await page.getByRole("radio", { name: /This machine|Эта машина/ }).check();
    await press(wizardTexts.next);
    await expectStep(4);
  });

  test("domains are held to their rules, and to who has them", async () => {
    await field(wizardTexts.domain).fill(`play.${locale}.example.com`);
    await expectRefusals(domainRules, { domain: wizardTexts.domain });
    await field(wizardTexts.domain).fill("label.gs.localhost");
    await expectShown(wizardTexts.inUse);
    await page.route("**/api/v1/servers/check-domain", (route) => route.fulfill(brokenAnswer));
    await field(wizardTexts.domain).fill(`other.${locale}.example.com`);
    await expectShown(wizardTexts.domainError);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await field(wizardTexts.domain).fill(`play.${locale}.example.com`);
    await press(wizardTexts.next);
    await page.getByRole("button", { name: say(wizardTexts.check), exact: true }).waitFor();
  });

  test("the record is looked at, and what was seen is told", async () => {
    const name = `play.${locale}.example.com`;
    zone.records = [{ type: "CNAME", name, value: "elsewhere.example.net" }];
    await press(wizardTexts.check);
    await expectShown(wizardTexts.cnameWrong);
    await page.route("**/api/v1/servers/check-cname", (route) => route.fulfill(brokenAnswer));
    await press(wizardTexts.check);
    await expectShown(wizardTexts.cnameError);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    const target = page.getByText(/^[a-z0-9]{12}\.gs\.localhost$/).first();
    zone.records = [{ type: "CNAME", name, value: (await target.textContent()) ?? "" }];
    await press(wizardTexts.check);
    await expectShown(wizardTexts.cnameRight);
    await expectStep(5);
    await press(wizardTexts.back);
    await press(wizardTexts.next);
    await press(wizardTexts.skip);
    await expectStep(5);
  });

  test("the confirmation says what is debited, what failed, and what was made", async () => {
    await expectShown(wizardTexts.debited);
    await page.route("**/api/v1/servers", (route) =>
      route.request().method() === "POST" ? route.fulfill(brokenAnswer) : route.continue(),
    );
    await press(wizardTexts.create);
    await expectShown(wizardTexts.createError);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await press(wizardTexts.create);
    await expectShown(wizardTexts.created);
    await page.waitForURL("**/dashboard");
    await expectShown(dashboardTexts.owned);
  });

  test("a record cannot be checked before its target is there", async () => {
    await page.route("**/api/v1/servers/generate-cname", (route) => route.abort());
    await page.goto("/dashboard/setup");
    await settled(page);
    await page.getByRole("radio", { name: /^Free/ }).check();
    await press(wizardTexts.next);
    await field(wizardTexts.name).fill("Skyline");
    await press(wizardTexts.next);
    await field(wizardTexts.ip).fill("127.0.0.1");
    await field(wizardTexts.port).fill("25565");
    await press(wizardTexts.next);
    await page.getByRole("radio", { name: /This machine|Эта машина/ }).check();
    await press(wizardTexts.next);
    await field(wizardTexts.domain).fill(`second.${locale}.example.com`);
    await press(wizardTexts.next);
    await press(wizardTexts.check);
    await expectShown(wizardTexts.noCname);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("the toggles of the overview say what they did, what failed and why they are locked", async () => {
    const backend = { host: "127.0.0.1", port: 25_565 };
    const { id } = await createShield(account.call, backend, `third.${locale}.example.com`);
    const overview = overviewTexts;
    const toggle = (texts: Texts) => page.getByRole("switch", { name: say(texts) });
    await page.goto(`/dashboard/gameshield/${id}`);
    await settled(page);
    await expectShown(overview.never);
    await toggle(overview.renewal).click();
    await expectShown(overview.renewalChanged);
    await page.route("**/api/v1/servers/*/overview", (route) =>
      route.request().method() === "PUT" ? route.fulfill(brokenAnswer) : route.continue(),
    );
    await toggle(overview.balance).click();
    await expectShown(overview.failed);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.reload();
    await settled(page);
    await toggle(overview.balance).click();
    await expectShown(overview.balanceChanged);

    const database = new pg.Client((await databaseOf(home)).ownerUrl);
    await database.connect();
    await database.query("update shields set status = 'expired' where id = $1", [id]);
    await database.end();
    await page.reload();
    await settled(page);
    await expectShown(overview.renewalLocked);
    await expectShown(overview.balanceLocked);
    expect(await toggle(overview.renewal).isDisabled()).toBe(true);
  });
});
