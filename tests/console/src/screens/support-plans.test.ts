import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { expectSoundEverywhere } from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { planIds } from "../stub-api/account-state.ts";

/** The support plans of an account: chosen by card, quoted, confirmed, planned, cancelled. */

const { plans, supportPlans } = routes;
const path = "/dashboard/support/plans";
const fixture = useConsole();

const card = (page: Page, name: string) => page.getByRole("radio", { name });
const dialogOf = (page: Page): Locator => page.getByRole("dialog", { name: "Change plan" });
const current = (page: Page) => page.getByRole("region", { name: "Your support plan" });

test("the top bar leads there, and the current plan cannot be chosen again", async () => {
  const page = await fixture.open("/dashboard");
  await page.getByRole("link", { name: /^Support: / }).click();
  await page.waitForURL(`**${path}`);
  await current(page).getByText("Standard").waitFor();
  await current(page)
    .getByText(/Paid until 1 Dec 2026\. The next month is charged a day before/)
    .waitFor();
  expect(await card(page, "Standard").isChecked()).toBe(true);
  const button = page.getByRole("button", { name: "Current plan" });
  expect(await button.getAttribute("aria-disabled")).toBe("true");
});

test("a dearer plan begins now, less the unused part of the old one, under its quote", async () => {
  const page = await fixture.open(path);
  await card(page, "Business").check();
  await page.getByRole("button", { name: "Change plan" }).click();
  await dialogOf(page).getByText("The unused part of your paid plan").waitFor();
  await dialogOf(page).getByText("€99.00").waitFor();
  await dialogOf(page)
    .getByText(/This price is held for 1[45]:\d\d\./)
    .waitFor();
  await expectSoundEverywhere(page, "a dearer support plan");
  await dialogOf(page).getByRole("button", { name: "Change plan" }).click();
  await page.getByText("Support plan changed successfully").waitFor();
  await dialogOf(page).waitFor({ state: "detached" });
  await current(page).getByText("Business").waitFor();
  const [sent] = fixture.api.callsOf(supportPlans.purchaseSupportPlan);
  expect(sent?.body).toEqual({
    support_plan_id: planIds.unaffordable,
    quote_id: exampleIds.entry,
  });
});

test("a cheaper plan, the free one too, begins with the next period and can be cancelled", async () => {
  const page = await fixture.open(path);
  await card(page, "Free").check();
  await page.getByRole("button", { name: "Change plan" }).click();
  await dialogOf(page).getByText("Begins on").waitFor();
  await dialogOf(page).getByRole("button", { name: "Change at the end of the period" }).click();
  await page.getByText("The plan changes at the end of the paid period").waitFor();
  await current(page)
    .getByText(/The plan changes to Free on 1 Nov 2026\./)
    .waitFor();
  await expectSoundEverywhere(page, "a planned support plan");
  await current(page).getByRole("button", { name: "Cancel the change" }).click();
  await page.getByText("The planned change is cancelled").waitFor();
  await current(page).getByText("The plan changes to").waitFor({ state: "detached" });
});

test("without enough balance the way leads to the recharge with what is missing", async () => {
  fixture.api.change(supportPlans.quoteSupportPlan, ({ quote }) => ({
    quote: {
      ...quote,
      balance_after: null,
      balance_after_cents: null,
      missing: "80.01",
      missing_cents: 8_001,
    },
  }));
  const page = await fixture.open(path);
  await card(page, "Business").check();
  await page.getByRole("button", { name: "Change plan" }).click();
  await dialogOf(page).getByText("You need €80.01 more.").waitFor();
  await dialogOf(page).getByRole("button", { name: "Recharge balance" }).click();
  const modal = page.getByRole("dialog", { name: "Recharge balance" });
  await modal.waitFor();
  expect(await modal.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("81");
});

describe("the page", () => {
  test("keeps the choice where the change failed, and says that it did", async () => {
    fixture.api.cut(supportPlans.purchaseSupportPlan);
    const page = await fixture.open(path);
    await card(page, "Business").check();
    await page.getByRole("button", { name: "Change plan" }).click();
    await dialogOf(page).getByText("This price is held for").waitFor();
    await dialogOf(page).getByRole("button", { name: "Change plan" }).click();
    await page.getByText("Failed to change support plan").waitFor();
    expect(await card(page, "Business").isChecked()).toBe(true);
  });

  test("says that nothing could be read, and reads it again", async () => {
    fixture.api.refuse(plans.listSupportPlans, "internal");
    const page = await fixture.open(path);
    await page.getByText("Error fetching support plans").waitFor();
    await expectSoundEverywhere(page, "no support plans read");
    fixture.api.restore(plans.listSupportPlans);
    await tryAgain(page);
    await card(page, "Business").waitFor();
  });

  test("says where there is no plan on offer", async () => {
    fixture.state.supportPlans = [];
    const page = await fixture.open(path);
    await page.getByText("There are no support plans on offer.").waitFor();
    await expectSoundEverywhere(page, "no support plans");
  });
});
