import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { expectSound, expectSoundEverywhere } from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { planIds } from "../stub-api/account-state.ts";

/** Changing the plan of a shield: what is quoted, what is confirmed, and what stands in the way. */

const { planChanges, plans, caching } = routes;
const path = (section = "") => `/dashboard/gameshield/${exampleIds.shield}${section}`;
const fixture = useConsole();

const plan = (page: Page, name: string) => dialogOf(page).getByRole("radio", { name });
const dialogOf = (page: Page): Locator => page.getByRole("dialog", { name: "Change plan" });
const costs = (page: Page) => page.getByRole("region", { name: "What the change costs" });
const button = (page: Page, name: string) => dialogOf(page).getByRole("button", { name });

async function isInert(control: Locator): Promise<boolean> {
  return (await control.getAttribute("aria-disabled")) === "true";
}

async function openPlans(options: Parameters<typeof fixture.open>[1] = {}): Promise<Page> {
  const page = await fixture.open(path(), options);
  await page.getByRole("button", { name: "Change plan" }).click();
  await dialogOf(page).waitFor();
  return page;
}

describe("an upgrade", () => {
  test("costs the difference, is confirmed once under the quote, and is announced", async () => {
    const page = await openPlans();
    expect(await plan(page, "Starter").isChecked()).toBe(true);
    expect(await isInert(button(page, "Upgrade"))).toBe(true);
    await plan(page, "Plus").check();
    await costs(page).getByText("€9.99", { exact: true }).waitFor();
    await costs(page).getByText("€49.99").waitFor();
    await costs(page).getByText("€15.01").waitFor();
    await costs(page)
      .getByText(/This price is held for 1[45]:\d\d\./)
      .waitFor();
    expect(await costs(page).getByText("of which VAT").count()).toBe(0);
    await expectSoundEverywhere(page, "an upgrade");
    const release = fixture.api.delay(planChanges.changePlan);
    await button(page, "Upgrade").press("Enter");
    await until(() => isInert(button(page, "Upgrade")), { what: "the busy button" });
    await button(page, "Upgrade").press("Enter");
    release();
    await page.getByText("Plan changed successfully").waitFor();
    await dialogOf(page).waitFor({ state: "detached" });
    await page.getByText("Plus plan").first().waitFor();
    const sent = fixture.api.callsOf(planChanges.changePlan);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toEqual({
      pricing_plan_id: planIds.unaffordable,
      quote_id: exampleIds.entry,
    });
    expect(sent[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("shows VAT where there is any", async () => {
    fixture.api.change(planChanges.quotePlanChange, ({ quote }) => ({
      quote: { ...quote, due: "11.90", due_cents: 1_190, vat: "1.90", vat_cents: 190 },
    }));
    const page = await openPlans();
    await plan(page, "Plus").check();
    await costs(page).getByText("of which VAT").waitFor();
    await costs(page).getByText("€1.90").waitFor();
    await costs(page).getByText("€11.90").waitFor();
    expect(await isInert(button(page, "Upgrade"))).toBe(false);
  });

  test("is priced again when the price is no longer held, and cannot be confirmed in between", async () => {
    const page = await openPlans({ prepare: async (opened) => opened.clock.install() });
    await plan(page, "Plus").check();
    await costs(page).getByText("This price is held for").waitFor();
    await page.clock.runFor(14 * 60_000);
    await costs(page)
      .getByText(/This price is held for (1:00|0:5\d)\./)
      .waitFor();
    expect(fixture.api.callsOf(planChanges.quotePlanChange)).toHaveLength(1);
    const release = fixture.api.delay(planChanges.quotePlanChange);
    await page.clock.runFor(61_000);
    await costs(page).getByText("The price is being asked for…").waitFor();
    expect(await isInert(button(page, "Upgrade"))).toBe(true);
    release();
    await costs(page).getByText("The price was asked for again.").waitFor();
    await costs(page).getByText("This price is held for 15:00.").waitFor();
    expect(fixture.api.callsOf(planChanges.quotePlanChange)).toHaveLength(2);
    expect(await isInert(button(page, "Upgrade"))).toBe(false);
  });

  test("without enough balance leads to the recharge with what is missing", async () => {
    fixture.api.change(planChanges.quotePlanChange, ({ quote }) => ({
      quote: {
        ...quote,
        balance_after: null,
        balance_after_cents: null,
        missing: "6.50",
        missing_cents: 650,
      },
    }));
    const page = await openPlans();
    await plan(page, "Plus").check();
    await costs(page).getByText("You need €6.50 more.").waitFor();
    expect(await isInert(button(page, "Upgrade"))).toBe(true);
    await expectSound(page, "insufficient funds");
    await costs(page).getByRole("button", { name: "Recharge balance" }).click();
    const modal = page.getByRole("dialog", { name: "Recharge balance" });
    await modal.waitFor();
    expect(await modal.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("7");
    expect(await dialogOf(page).count()).toBe(0);
  });

  test("that the balance no longer covers says so for 3 seconds and is priced again", async () => {
    const page = await openPlans({ prepare: async (opened) => opened.clock.install() });
    await plan(page, "Plus").check();
    await costs(page).getByText("This price is held for").waitFor();
    fixture.api.refuse(planChanges.changePlan, "insufficient_funds");
    await button(page, "Upgrade").click();
    const refusal = dialogOf(page).getByText("Insufficient funds!");
    await refusal.waitFor();
    await until(() => fixture.api.callsOf(planChanges.quotePlanChange).length === 2, {
      what: "the new price",
    });
    await page.clock.runFor(2_000);
    expect(await refusal.isVisible()).toBe(true);
    await page.clock.runFor(1_000);
    await refusal.waitFor({ state: "detached" });
  });

  test("that failed says the api's reason, keeps the choice and may be repeated", async () => {
    const page = await openPlans();
    await plan(page, "Plus").check();
    await costs(page).getByText("This price is held for").waitFor();
    fixture.api.cut(planChanges.changePlan);
    await button(page, "Upgrade").click();
    await page.getByText("Failed to change server plan").waitFor();
    expect(await plan(page, "Plus").isChecked()).toBe(true);
    fixture.api.restore(planChanges.changePlan);
    expect(fixture.api.callsOf(planChanges.quotePlanChange)).toHaveLength(1);
    await button(page, "Upgrade").click();
    await page.getByText("Plan changed successfully").waitFor();
    // The first one may have been done: under the same key it is not done twice.
    const keys = fixture.api
      .callsOf(planChanges.changePlan)
      .map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
  });
});

describe("a downgrade", () => {
  test("begins with the next period, costs nothing now, and can be cancelled", async () => {
    const page = await openPlans();
    await plan(page, "Free").check();
    await costs(page).getByText("Begins on").waitFor();
    await costs(page)
      .getByText(/Nothing is charged now\. Until .+ everything stays as it is on the Starter plan/)
      .waitFor();
    expect(await costs(page).getByText("This price is held for").count()).toBe(0);
    await button(page, "Change at the end of the period").click();
    await page.getByText("The plan changes at the end of the paid period").waitFor();
    await dialogOf(page).waitFor({ state: "detached" });
    const panel = page.getByRole("region", { name: "Renewal" });
    await panel.getByText(/The plan changes to Free on 1 Nov 2026\./).waitFor();
    await expectSoundEverywhere(page, "a planned change");
    await panel.getByRole("button", { name: "Cancel the change" }).click();
    await page.getByText("The planned change is cancelled").first().waitFor();
    await panel.getByText("The plan changes to").waitFor({ state: "detached" });
  });

  test("to a plan that the shield exceeds lists what is too much, with the way there", async () => {
    fixture.api.change(planChanges.quotePlanChange, ({ quote }) => ({
      quote: {
        ...quote,
        exceeded: [
          { limit: "domains" as const, used: 3, allowed: 1 },
          { limit: "backend_groups" as const, used: 2, allowed: 1 },
          { limit: "locations" as const, used: 1, allowed: 0 },
          { limit: "antibot_level" as const, used: 4, allowed: 2 },
          { limit: "anti_vpn" as const, used: 1, allowed: 0 },
          { limit: "traffic" as const, used: 2_000_000_000_000, allowed: 1_000_000_000_000 },
        ],
      },
    }));
    const page = await openPlans();
    await plan(page, "Free").check();
    await costs(page).getByText("The shield has more than this plan allows").waitFor();
    const items = costs(page).getByRole("listitem");
    expect(await items.allTextContents()).toEqual([
      "Domains: 3, allowed: 1. Open Domains",
      "Backend groups: 2, allowed: 1. Open Backends",
      "Locations that the plan does not include: 1. Open Domains",
      "AntiBot level: Extreme, allowed up to Medium. Open Mitigation",
      "Anti-VPN is on, and the plan does not include it. Open Mitigation",
      "Traffic this month: 2 TB, allowed: 1 TB. It resets on the 1st. ",
    ]);
    expect(await isInert(button(page, "Change at the end of the period"))).toBe(true);
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await expectSound(page, `an exceeded plan at ${width} px`);
    }
    await costs(page).getByRole("link", { name: "Open Backends" }).click();
    await page.waitForURL(`**${path("/backends")}`);
    expect(await dialogOf(page).count()).toBe(0);
  });
});

describe("the plans", () => {
  test("that have a missing feature are offered, and the current one", async () => {
    fixture.api.change(caching.getCaching, (usual) => ({ ...usual, needs_upgrade: true }));
    fixture.state.plans = fixture.state.plans.map((each) => ({
      ...each,
      includes: { ...each.includes, caching: each.id === planIds.unaffordable },
    }));
    const page = await fixture.open(path("/caching"));
    await page.getByRole("button", { name: "Upgrade plan" }).click();
    const dialog = page.getByRole("dialog", { name: "Upgrade plan" });
    await dialog.getByRole("radio").first().waitFor();
    const names = await dialog
      .getByRole("radio")
      .evaluateAll((radios) => radios.map((radio) => radio.getAttribute("aria-label")));
    expect(names).toEqual(["Starter, €9.99 a month", "Plus, €49.99 a month"]);
    await dialog.getByText("Current plan").waitFor();
  });

  test("that could not be read, and a price that could not, may be asked for again", async () => {
    fixture.api.refuse(plans.listPricingPlans, "internal");
    const page = await openPlans();
    await dialogOf(page).getByText("Failed to fetch plans").waitFor();
    fixture.api.restore(plans.listPricingPlans);
    await tryAgain(page);
    fixture.api.refuse(planChanges.quotePlanChange, "renewal_due");
    await plan(page, "Plus").check();
    await dialogOf(page).getByText("The price is not known").waitFor();
    await dialogOf(page)
      .getByText("Renew the Game Shield first: its paid period is over")
      .waitFor();
    expect(await isInert(button(page, "Upgrade"))).toBe(true);
    await expectSound(page, "no price");
    fixture.api.restore(planChanges.quotePlanChange);
    await button(page, "Try again").click();
    await costs(page).getByText("This price is held for").waitFor();
  });

  test.each([
    ["blocked", "Upgrade impossible: the shield is blocked."],
    ["expired", "Upgrade impossible: renew the shield first."],
  ] as const)(
    "cannot be changed on a shield that is %s, and the page says why",
    async (status, text) => {
      fixture.state.shield = { ...fixture.state.shield, status };
      const page = await fixture.open(path());
      await page.getByText(text).waitFor();
      expect(await page.getByRole("button", { name: "Change plan" }).isDisabled()).toBe(true);
    },
  );

  test("are not for members, who see the planned change without a way to cancel it", async () => {
    fixture.state.shield = { ...fixture.state.shield, role: "member" };
    fixture.state.overview = {
      ...fixture.state.overview,
      planned_plan: {
        plan: { id: planIds.free, name: "Free" },
        effective_at: "2026-11-01T12:00:00.000Z",
      },
    };
    const page = await fixture.open(path());
    await page.getByText(/The plan changes to Free on/).waitFor();
    expect(await page.getByRole("button", { name: /Change plan|Cancel the change/ }).count()).toBe(
      0,
    );
  });
});
