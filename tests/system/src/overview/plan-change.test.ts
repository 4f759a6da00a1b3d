import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { expectSound } from "../screens/inspect.ts";
import { buyShield, shieldPath, startOverviewFixture, type OverviewFixture } from "./fixture.ts";

/** Plans of a shield and of the account's support, changed in the console with real money. */

let fixture: OverviewFixture;

beforeAll(async () => {
  fixture = await startOverviewFixture();
});
afterEach(async () => {
  await fixture.closePages();
});
afterAll(() => fixture?.end());

const dialogOf = (page: Page): Locator => page.getByRole("dialog", { name: "Change plan" });
const costs = (page: Page) => page.getByRole("region", { name: "What the change costs" });
const plan = (page: Page, name: string) => dialogOf(page).getByRole("radio", { name });

async function balanceOf(account: TestAccount): Promise<number> {
  return (await account.call(routes.auth.user, {})).data.user.balance_cents;
}

async function planOf(account: TestAccount, id: string) {
  const { data } = await account.call(routes.servers.getOverview, { params: { id } });
  return { now: data.pricing_plan.name, planned: data.planned_plan?.plan.name ?? null };
}

async function openPlans(account: TestAccount, shieldId: string): Promise<Page> {
  const page = await fixture.open(account, shieldPath(shieldId));
  await page.getByRole("button", { name: "Change plan" }).click();
  await dialogOf(page).waitFor();
  return page;
}

/** The sum beside a name of the quote, in cents. */
async function sumOf(page: Page, name: string): Promise<number> {
  const row = costs(page).locator("div").filter({ hasText: name }).last();
  const text = await row.locator("dd").innerText();
  return Math.round(Number(text.replace(/[^0-9.]/g, "")) * 100);
}

test("an upgrade takes exactly the quoted difference and begins at once", async () => {
  const owner = await createAccount(fixture.palisade.consoleUrl, "upgrade@example.com");
  await fixture.credit(owner, "40");
  const id = await buyShield(owner, { plan: "Plus", name: "Skyline", domain: "up.example.com" });
  const page = await openPlans(owner, id);
  await plan(page, "Pro").check();
  await costs(page).getByText("This price is held for").waitFor();
  const due = await sumOf(page, "You pay now");
  // A moment of the month is over: the difference is a little less than the whole of €20.00.
  expect(due).toBeGreaterThan(1_990);
  expect(due).toBeLessThanOrEqual(2_000);
  await expectSound(page, "an upgrade");
  await dialogOf(page).getByRole("button", { name: "Upgrade" }).click();
  await page.getByText("Plan changed successfully").waitFor();
  await page.getByText("Pro plan", { exact: true }).first().waitFor();
  expect(await balanceOf(owner)).toBe(4_000 - 900 - due);
  expect(await planOf(owner, id)).toEqual({ now: "Pro", planned: null });
});

test("an upgrade that the balance does not cover leads to the recharge and changes nothing", async () => {
  const owner = await createAccount(fixture.palisade.consoleUrl, "poor-upgrade@example.com");
  await fixture.credit(owner, "9");
  const id = await buyShield(owner, { plan: "Plus", name: "Poor", domain: "poor-up.example.com" });
  const page = await openPlans(owner, id);
  await plan(page, "Pro").check();
  await costs(page).getByText("Insufficient funds").waitFor();
  await costs(page).getByRole("button", { name: "Recharge balance" }).click();
  const modal = page.getByRole("dialog", { name: "Recharge balance" });
  await modal.waitFor();
  expect(await modal.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("20");
  expect(await balanceOf(owner)).toBe(0);
  expect(await planOf(owner, id)).toEqual({ now: "Plus", planned: null });
});

test("a downgrade waits for what exceeds the plan, then for the end of the period, and is cancelled", async () => {
  const owner = await createAccount(fixture.palisade.consoleUrl, "downgrade@example.com");
  await fixture.credit(owner, "9");
  const id = await buyShield(owner, { plan: "Plus", name: "Lower", domain: "down.example.com" });
  const params = { id };
  const { data } = await owner.call(routes.shieldDomains.addDomain, {
    params,
    body: { domain: "second.example.com" },
  });
  const page = await openPlans(owner, id);
  await plan(page, "Free").check();
  await costs(page).getByText("Domains: 2, allowed: 1.").waitFor();
  const later = dialogOf(page).getByRole("button", { name: "Change at the end of the period" });
  expect(await later.getAttribute("aria-disabled")).toBe("true");
  await costs(page).getByRole("link", { name: "Open Domains" }).click();
  await page.waitForURL("**/domains");
  await owner.call(routes.shieldDomains.removeDomain, {
    params: { ...params, domainId: data.domain.id },
  });

  await page.goto(shieldPath(id));
  await page.getByRole("button", { name: "Change plan" }).click();
  await plan(page, "Free").check();
  await costs(page).getByText("Nothing is charged now.").waitFor();
  await until(async () => (await later.getAttribute("aria-disabled")) === "false", {
    what: "a plan that fits",
  });
  await later.click();
  await page.getByText("The plan changes at the end of the paid period").waitFor();
  await page.getByText(/The plan changes to Free on/).waitFor();
  expect(await planOf(owner, id)).toEqual({ now: "Plus", planned: "Free" });
  await page.getByRole("button", { name: "Cancel the change" }).click();
  await page.getByText("The planned change is cancelled").waitFor();
  expect(await planOf(owner, id)).toEqual({ now: "Plus", planned: null });
  expect(await balanceOf(owner)).toBe(0);
});

test("a support plan is bought, lowered for the next period, and kept again", async () => {
  const owner = await createAccount(fixture.palisade.consoleUrl, "support@example.com");
  await fixture.credit(owner, "20");
  const page = await fixture.open(owner, "/dashboard/support/plans");
  const current = page.getByRole("region", { name: "Your support plan" });
  await current.getByText("This plan costs nothing: there is nothing to renew.").waitFor();
  await page.getByRole("radio", { name: "Priority" }).check();
  await page.getByRole("button", { name: "Change plan" }).click();
  await dialogOf(page).getByText("This price is held for").waitFor();
  expect(await sumOf(page, "You pay now")).toBe(1_900);
  await dialogOf(page).getByRole("button", { name: "Change plan" }).click();
  await page.getByText("Support plan changed successfully").waitFor();
  await current.getByText("Priority").waitFor();
  await page.getByRole("link", { name: "Support: Priority" }).waitFor();
  expect(await balanceOf(owner)).toBe(100);

  await page.getByRole("radio", { name: "Free" }).check();
  await page.getByRole("button", { name: "Change plan" }).click();
  await dialogOf(page).getByRole("button", { name: "Change at the end of the period" }).click();
  await current.getByText(/The plan changes to Free on/).waitFor();
  await current.getByRole("button", { name: "Cancel the change" }).click();
  await page.getByText("The planned change is cancelled").waitFor();
  const { data } = await owner.call(routes.supportPlans.getSupportSubscription, {});
  expect([data.plan?.name, data.planned]).toEqual(["Priority", null]);
  expect(await balanceOf(owner)).toBe(100);
});
