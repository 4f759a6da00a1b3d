import { routes } from "@palisade/contract/http/routes";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import { expectSound, expectSoundEverywhere } from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { becomeNewcomer } from "../stub-api/account-state.ts";

/** The form of the automatic top-up, and the forecast beside it. */

const { automaticPayments, twoFactor } = routes;
const billingPath = "/dashboard/billing";
const fixture = useConsole();

const names = {
  en: {
    panel: "Automatic top-up",
    toggle: "Top up automatically",
    threshold: "When the balance is below",
    amount: "Charge this amount",
    save: "Save",
    saved: "Automatic top-up settings saved",
  },
  ru: {
    panel: "Автоматическое пополнение",
    toggle: "Пополнять автоматически",
    threshold: "Когда баланс ниже",
    amount: "Списать сумму",
    save: "Сохранить",
    saved: "Настройки автопополнения сохранены",
  },
} as const;

function formOf(page: Page, locale: "en" | "ru" = "en") {
  const words = names[locale];
  const panel = page.getByRole("region", { name: words.panel });
  return {
    panel,
    toggle: panel.getByRole("switch", { name: words.toggle }),
    threshold: panel.getByRole("textbox", { name: words.threshold }),
    amount: panel.getByRole("textbox", { name: words.amount }),
    save: panel.getByRole("button", { name: words.save }),
  };
}

const sent = () => fixture.api.callsOf(automaticPayments.updateAutomaticTopUp);

describe.each(["en", "ru"] as const)("the rules of its amounts in %s", (locale) => {
  const rules = {
    en: {
      required: "Enter an amount",
      min: "Minimum amount is 1€",
      max: "Maximum amount is 1000€",
    },
    ru: {
      required: "Введите сумму",
      min: "Минимальная сумма — 1€",
      max: "Максимальная сумма — 1000€",
    },
  }[locale];
  test.each([
    ["threshold", "", rules.required],
    ["threshold", "0", rules.min],
    ["threshold", "1001", rules.max],
    ["amount", "", rules.required],
    ["amount", "0", rules.min],
    ["amount", "1001", rules.max],
  ] as const)("%s %j is not sent: %s", async (name, typed, problem) => {
    const page = await fixture.open(billingPath, { locale });
    const form = formOf(page, locale);
    await form[name].fill(typed);
    await form.save.click();
    await form.panel.getByText(problem, { exact: true }).waitFor();
    await until(() => form[name].and(page.locator(":focus")).count(), {
      what: "the focus on the field",
    });
    expect(await form[name].inputValue()).toBe(typed);
    expect(sent()).toEqual([]);
    await form[name].fill("30");
    await form.panel.getByText(problem, { exact: true }).waitFor({ state: "detached" });
    await form.save.click();
    await page.getByText(names[locale].saved).waitFor();
  });
});

describe("the form", () => {
  test("takes digits only, and what is sent is whole euros", async () => {
    const page = await fixture.open(billingPath);
    const form = formOf(page);
    await form.threshold.fill("");
    await form.threshold.pressSequentially("1a5.,-€");
    await form.amount.fill("50");
    await form.panel.getByText("Not saved yet").waitFor();
    await form.amount.press("Enter");
    await page.getByText(names.en.saved).waitFor();
    await form.panel.getByText("Not saved yet").waitFor({ state: "detached" });
    expect(sent().map(({ body }) => body)).toEqual([{ enabled: true, threshold: 15, amount: 50 }]);
  });

  test("is off without amounts, is switched on with them, and switched off again", async () => {
    fixture.state.automaticTopUp = { enabled: false, threshold: 10, amount: 20 };
    const page = await fixture.open(billingPath);
    const form = formOf(page);
    await form.panel.getByText("Off", { exact: true }).waitFor();
    expect(await form.threshold.count()).toBe(0);
    await form.toggle.press("Space");
    expect(await form.threshold.inputValue()).toBe("10");
    await form.save.press("Enter");
    await form.panel.getByText("On", { exact: true }).waitFor();
    // A half-typed amount neither stops it nor is stored.
    await form.amount.fill("");
    await form.toggle.press("Space");
    await form.save.press("Enter");
    await form.panel.getByText("Off", { exact: true }).waitFor();
    expect(sent().map(({ body }) => body)).toEqual([
      { enabled: true, threshold: 10, amount: 20 },
      { enabled: false, threshold: 10, amount: 20 },
    ]);
  });

  test("asks who is there, and keeps what was typed if that is declined", async () => {
    fixture.api.refuse(automaticPayments.updateAutomaticTopUp, "step_up_required");
    fixture.api.change(twoFactor.beginStepUp, () => ({
      factor: "password" as const,
      passkey_options: null,
    }));
    const page = await fixture.open(billingPath);
    const form = formOf(page);
    await form.amount.fill("75");
    await form.save.click();
    const password = page.getByRole("dialog").getByLabel("Current password");
    await password.waitFor();
    await page.keyboard.press("Escape");
    await password.waitFor({ state: "detached" });
    expect(await form.amount.inputValue()).toBe("75");
    await form.save.click();
    await password.fill("correct horse battery");
    fixture.api.restore(automaticPayments.updateAutomaticTopUp);
    await password.press("Enter");
    await page.getByText(names.en.saved).waitFor();
    expect(fixture.state.automaticTopUp.amount).toBe(75);
  });

  test("tells a lost connection and keeps what was typed", async () => {
    fixture.api.cut(automaticPayments.updateAutomaticTopUp);
    const page = await fixture.open(billingPath);
    const form = formOf(page);
    await form.threshold.fill("33");
    await form.save.click();
    await page.getByText("Failed to save the automatic top-up").waitFor();
    expect(await form.threshold.inputValue()).toBe("33");
    fixture.api.restore(automaticPayments.updateAutomaticTopUp);
    await form.save.click();
    await page.getByText(names.en.saved).waitFor();
  });

  test("shows a field's refusal of the server beside that field", async () => {
    const words = { en: "At least as much as a renewal costs", ru: "" };
    fixture.api.say(automaticPayments.updateAutomaticTopUp, words, {
      code: "validation_failed",
      field: "amount",
    });
    const page = await fixture.open(billingPath);
    const form = formOf(page);
    await form.amount.fill("2");
    await form.save.click();
    await form.panel.getByText(words.en).waitFor();
    expect(await form.amount.getAttribute("aria-invalid")).toBe("true");
  });

  test("asks before typed amounts are lost, but not for filters of the same page", async () => {
    const page = await fixture.open(billingPath);
    const form = formOf(page);
    await form.amount.fill("75");
    await page.getByRole("combobox", { name: "Status" }).selectOption("Completed");
    await page.waitForURL((url) => url.search === "?status=completed");
    expect(await form.amount.inputValue()).toBe("75");
    await page.getByRole("link", { name: "Dashboard", exact: true }).first().click();
    const dialog = page.getByRole("dialog", { name: "Unsaved changes" });
    await dialog.getByRole("button", { name: "Stay" }).click();
    expect(await form.amount.inputValue()).toBe("75");
  });

  test("waits, fails and comes back", async () => {
    const page = await fixture.open("/dashboard");
    const release = fixture.api.delay(automaticPayments.getAutomaticTopUp);
    fixture.api.cut(automaticPayments.getAutomaticTopUp);
    await page.goto(billingPath);
    const { panel, toggle } = formOf(page);
    await panel.locator("[aria-busy=true] .mantine-Skeleton-root").first().waitFor();
    release();
    await panel.getByText("Error fetching the automatic top-up").waitFor();
    fixture.api.restore(automaticPayments.getAutomaticTopUp);
    await tryAgain(panel);
    await toggle.waitFor();
    expect(await toggle.isChecked()).toBe(true);
  });

  test("needs a card: the way to add one is offered in its place", async () => {
    becomeNewcomer(fixture.state);
    const page = await fixture.open(billingPath);
    const { panel, toggle } = formOf(page);
    await panel.getByText("It needs a saved card.").waitFor();
    expect(await toggle.count()).toBe(0);
    await panel.getByRole("button", { name: "Add a card" }).click();
    await page.getByRole("dialog", { name: "Add payment method" }).waitFor();
  });
});

const renewal = (name: string, cents: number, covered: boolean | null) => ({
  server_id: fixture.state.shield.id,
  name,
  charge_at: "2031-03-01T12:00:00.000Z",
  price: (cents / 100).toFixed(2),
  price_cents: cents,
  covered,
});

/** The balance of the example is 25 euros. */
function shortForecast(): void {
  fixture.state.cards = { mode: "live", cards: [] };
  fixture.state.forecast = {
    balance_lasts_until: "2031-03-12T12:00:00.000Z",
    monthly: "58.00",
    monthly_cents: 5_800,
    renewals: [
      renewal("Skyline", 900, true),
      { ...renewal("Lobby", 4_900, false), server_id: "0199a3f2-7c10-7000-8000-5f1a2b3c4d99" },
      { ...renewal("Standard", 1_000, null), server_id: null },
    ],
  };
}

describe("the forecast", () => {
  test("says until when the balance lasts, and what is renewed when, for how much", async () => {
    shortForecast();
    const page = await fixture.open(billingPath);
    const balance = page.getByRole("region", { name: "Account balance" });
    await balance.getByText("Balance lasts until 12 Mar 2031").waitFor();
    await balance.getByText("Renewals cost €58.00 a month").waitFor();
    const rows = page.getByRole("list", { name: "Next renewals" }).getByRole("listitem");
    const said = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    expect(said).toEqual([
      "Skyline Charged on 1 Mar 2031 €9.00 Covered",
      "Lobby Charged on 1 Mar 2031 €49.00 Not covered",
      "Support plan Standard Charged on 1 Mar 2031 €10.00 Not from the balance",
    ]);
    await rows.first().getByRole("link", { name: "Skyline" }).click();
    await page.waitForURL(`**/dashboard/gameshield/${fixture.state.shield.id}`);
  });

  test("warns of a low balance, and the top-up begins with what is missing", async () => {
    shortForecast();
    const page = await fixture.open(billingPath);
    await page.getByText("Your balance is low").waitFor();
    await page.getByText("€33.00 are missing for the next renewals.").waitFor();
    await page.getByRole("button", { name: "Top up", exact: true }).click();
    const modal = page.getByRole("dialog", { name: "Recharge balance" });
    expect(await modal.getByLabel("Amount").inputValue()).toBe("33");
  });

  test("does not warn while everything is covered", async () => {
    const page = await fixture.open(billingPath);
    await page.getByText("Covered").waitFor();
    expect(await page.getByText("Your balance is low").count()).toBe(0);
  });

  test.each([
    ["a card pays first", 1, "Your default card pays renewals first. They cost €9.99 a month."],
    [
      "it has no end in sight",
      0,
      "Balance lasts for more than two years. Renewals cost €9.99 a month.",
    ],
  ] as const)("says when %s", async (_what, cards, text) => {
    fixture.state.cards = {
      ...fixture.state.cards,
      cards: fixture.state.cards.cards.slice(0, cards),
    };
    fixture.state.forecast = { ...fixture.state.forecast, balance_lasts_until: null };
    const page = await fixture.open(billingPath);
    await page.getByText(text).waitFor();
    expect(await page.getByText("Balance lasts until").count()).toBe(0);
  });

  test("is empty without paid plans, and says what will be there", async () => {
    becomeNewcomer(fixture.state);
    const page = await fixture.open(billingPath);
    await page.getByText("No renewals").waitFor();
    await page.getByText("Plans are paid from this balance").waitFor();
    expect(await page.getByRole("list", { name: "Next renewals" }).count()).toBe(0);
  });

  test("that cannot be loaded says so, and can be asked for again", async () => {
    const page = await fixture.open("/dashboard", { width: 390 });
    fixture.api.cut(automaticPayments.getForecast);
    await page.goto(billingPath);
    const panel = page.getByRole("region", { name: "Next renewals" });
    await panel.getByText("Error fetching the forecast").waitFor();
    await expectSound(page, "failed forecast");
    fixture.api.restore(automaticPayments.getForecast);
    await tryAgain(panel);
    await panel.getByText("Covered").waitFor();
  });
});

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("a low balance and invalid amounts are sound at every width", async () => {
    const page = await fixture.open(billingPath, look);
    shortForecast();
    fixture.state.cards = { mode: "live", cards: [] };
    await page.reload();
    const form = formOf(page, look.locale);
    await form.amount.fill("");
    await form.save.click();
    await form.panel.locator("[aria-invalid=true]").waitFor();
    await expectSoundEverywhere(page, "low balance");
  });
});
