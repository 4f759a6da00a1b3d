import { routes } from "@palisade/contract/http/routes";
import { renderText } from "@palisade/contract/texts/render";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import { expectSound, expectSoundEverywhere } from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { createCard } from "../stub-api/account-state.ts";

/** Saved cards on the billing page, and the dialog that leads to the provider's page. */

const { paymentMethods, twoFactor } = routes;
const billingPath = "/dashboard/billing";
const fixture = useConsole();

const panelOf = (page: Page) =>
  page.getByRole("region", { name: /^(Payment methods|Способы оплаты)/ });
const cardsOf = (page: Page) => panelOf(page).getByRole("listitem");
const defaultsOf = (page: Page) =>
  cardsOf(page).filter({ has: page.getByText("Default", { exact: true }) });

/** Removing asks for the password. */
function askForPassword(): void {
  fixture.api.refuse(paymentMethods.removeCard, "step_up_required");
  fixture.api.change(twoFactor.beginStepUp, () => ({
    factor: "password" as const,
    passkey_options: null,
  }));
}

function thisMonth(): { readonly exp_month: number; readonly exp_year: number } {
  const now = new Date();
  return { exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() };
}

/** The default, one that expires this month, and one that has expired. */
function threeCards() {
  const cards = [
    createCard({ is_default: true, exp_month: 7, exp_year: 2099 }),
    createCard({ brand: "mastercard", last4: "4444", ...thisMonth() }),
    createCard({
      brand: "unknown",
      last4: "0005",
      exp_month: 3,
      exp_year: 2024,
      is_expired: true,
    }),
  ];
  fixture.state.cards = { mode: "live", cards };
  return cards;
}

describe("the list of cards", () => {
  test("shows brand, last four digits, expiry and default, and what expires", async () => {
    threeCards();
    const page = await fixture.open(billingPath);
    expect(await cardsOf(page).count()).toBe(3);
    const said = await cardsOf(page).allInnerTexts();
    expect(said[0]).toMatch(/Visa •••• 4242\s+Default\s+Valid until the end of 07\/2099/);
    expect(said[1]).toMatch(/Mastercard •••• 4444\s+Expires soon, after \d\d\/\d{4}/);
    expect(said[2]).toMatch(/Card •••• 0005\s+Expired after 03\/2024/);
    // One that is the default already, or can be charged no more, cannot become the default.
    expect(await panelOf(page).getByRole("button", { name: /^Make/ }).allInnerTexts()).toEqual([
      "Make default",
    ]);
  });

  test("another card becomes the default, and the answer is shown", async () => {
    threeCards();
    const page = await fixture.open(billingPath);
    await page.getByRole("button", { name: "Make default: Mastercard •••• 4444" }).press("Enter");
    await page.getByText("Default card changed").waitFor();
    await defaultsOf(page).filter({ hasText: "4444" }).waitFor();
    expect(await defaultsOf(page).count()).toBe(1);
  });

  test("a refused change of the default is told, and the list stays", async () => {
    threeCards();
    fixture.api.refuse(paymentMethods.setDefaultCard, "not_found");
    const page = await fixture.open(billingPath);
    await page.getByRole("button", { name: /^Make default: Mastercard/ }).click();
    await page.getByText(renderText("en", "error.not_found")).waitFor();
    expect(await defaultsOf(page).filter({ hasText: "4242" }).count()).toBe(1);
  });

  test("skeletons while it waits, the failure, and the list once calls succeed again", async () => {
    const page = await fixture.open("/dashboard", { width: 390 });
    const release = fixture.api.delay(paymentMethods.listCards);
    fixture.api.cut(paymentMethods.listCards);
    await page.goto(billingPath);
    await panelOf(page).locator("[aria-busy=true] .mantine-Skeleton-root").first().waitFor();
    release();
    const alert = panelOf(page).getByRole("alert");
    await alert.getByText("Error fetching payment methods").waitFor();
    await expectSound(page, "failed");
    fixture.api.restore(paymentMethods.listCards);
    await tryAgain(alert);
    await cardsOf(page).filter({ hasText: "4242" }).waitFor();
  });
});

describe("removing a card", () => {
  test("asks first, says what it means, proves who is there, and moves the focus on", async () => {
    threeCards();
    askForPassword();
    const page = await fixture.open(billingPath);
    await page.getByRole("button", { name: "Remove Visa •••• 4242" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Remove card" });
    await dialog.getByText("Visa •••• 4242 can no longer be charged.").waitFor();
    await dialog.getByText("It is the default:").waitFor();
    await expectSound(page, "asks");
    await dialog.getByRole("button", { name: "Remove" }).press("Enter");
    const password = page.getByRole("dialog").getByLabel("Current password");
    await password.fill("correct horse battery");
    fixture.api.restore(paymentMethods.removeCard);
    await password.press("Enter");
    await page.getByText("Card removed").waitFor();
    await until(async () => (await cardsOf(page).count()) === 2, { what: "two cards" });
    await defaultsOf(page).filter({ hasText: "4444" }).waitFor();
    expect(fixture.api.callsOf(twoFactor.stepUp)).toHaveLength(1);
  });

  test("by a user who does not prove it keeps the card, without an error", async () => {
    threeCards();
    askForPassword();
    const page = await fixture.open(billingPath);
    await page.getByRole("button", { name: "Remove Mastercard •••• 4444" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByLabel("Current password").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await cardsOf(page).count()).toBe(3);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("that is the only one says what stops, and leaves the invitation to add one", async () => {
    const page = await fixture.open(billingPath);
    await page.getByRole("button", { name: "Remove Visa •••• 4242" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove card" });
    await dialog.getByText("It is your only card:").waitFor();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await panelOf(page).getByText("No card saved").waitFor();
    await page.getByText("No card is saved, so nothing is topped up.").waitFor();
    await expectSound(page, "no card, automatic top-up on");
  });
});

describe("adding a card", () => {
  /** How often the set-up was asked for does not matter: under one key it is one. */
  const keysSent = (): string[] =>
    fixture.api
      .callsOf(paymentMethods.setupCard)
      .map(({ headers }) => headers["idempotency-key"] ?? "none");

  test("leads to the provider's page, under one key, however often the button is pressed", async () => {
    fixture.state.cards = { mode: "live", cards: [] };
    const page = await fixture.open(billingPath);
    await page.route("https://checkout.stripe.com/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "<h1>The provider's page</h1>" }),
    );
    await panelOf(page).getByRole("button", { name: "Add payment method" }).click();
    const dialog = page.getByRole("dialog", { name: "Add payment method" });
    await dialog.getByText(/never the number/).waitFor();
    await dialog.getByRole("button", { name: "Continue to Stripe" }).dblclick();
    await page.getByRole("heading", { name: "The provider's page" }).waitFor();
    expect([...new Set(keysSent())]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  test("after a lost answer asks again under the same key", async () => {
    const page = await fixture.open(billingPath, { width: 390 });
    await page.route("https://checkout.stripe.com/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "<h1>The provider's page</h1>" }),
    );
    fixture.api.cut(paymentMethods.setupCard);
    await panelOf(page).getByRole("button", { name: "Add payment method" }).click();
    const dialog = page.getByRole("dialog", { name: "Add payment method" });
    await dialog.getByRole("button", { name: "Continue to Stripe" }).press("Enter");
    await dialog.getByRole("alert").getByText("No card was saved.").waitFor();
    await expectSound(page, "connection lost");
    const button = dialog.getByRole("button", { name: "Continue to Stripe" });
    await until(() => button.and(page.locator(":focus")).count(), { what: "the focus back" });
    fixture.api.restore(paymentMethods.setupCard);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The provider's page" }).waitFor();
    expect([...new Set(keysSent())]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(keysSent().length).toBeGreaterThan(1);
  });

  test("beyond the most that may be saved is refused with the reason", async () => {
    const full = { en: "You can save at most 10 cards. Remove one first", ru: "" };
    fixture.api.say(paymentMethods.setupCard, full, { code: "conflict" });
    const page = await fixture.open(billingPath);
    await panelOf(page).getByRole("button", { name: "Add payment method" }).click();
    await page.getByRole("button", { name: "Continue to Stripe" }).click();
    await page.getByRole("dialog").getByText(full.en).waitFor();
    expect(new URL(page.url()).pathname).toBe(billingPath);
  });

  test("is not possible without a card provider, and the page says why and what to do", async () => {
    fixture.state.cards = { mode: "unavailable", cards: [] };
    fixture.state.automaticTopUp = { enabled: false, threshold: 10, amount: 20 };
    const page = await fixture.open(billingPath);
    await panelOf(page).getByText("No card provider is set up on this installation").waitFor();
    await page.getByText("It needs a saved card, and no card provider").waitFor();
    await panelOf(page).getByRole("button", { name: "Add payment method" }).click();
    const dialog = page.getByRole("dialog", { name: "Add payment method" });
    await dialog.getByText("has no card provider").waitFor();
    expect(await dialog.getByRole("button", { name: /Stripe/ }).count()).toBe(0);
    await expectSound(page, "no provider");
    await dialog.getByRole("button", { name: "Recharge balance" }).click();
    await page.getByRole("dialog", { name: "Recharge balance" }).waitFor();
  });

  test("in the sandbox says that no real money moves", async () => {
    fixture.state.cards = { mode: "sandbox", cards: [] };
    const page = await fixture.open(billingPath);
    await panelOf(page).getByText("Sandbox").waitFor();
    await panelOf(page).getByRole("button", { name: "Add payment method" }).click();
    const dialog = page.getByRole("dialog", { name: "Add payment method" });
    await dialog.getByText("A test card is saved. No real money moves.").waitFor();
    await dialog.getByRole("button", { name: "Save a test card" }).waitFor();
    expect(await dialog.getByText("Stripe").count()).toBe(0);
  });
});

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test.each(["three cards", "no card", "no provider"])(
    "%s, and their dialogs, are sound at every width",
    async (what) => {
      if (what === "three cards") threeCards();
      else {
        const mode = what === "no card" ? ("live" as const) : ("unavailable" as const);
        fixture.state.cards = { mode, cards: [] };
        fixture.state.automaticTopUp = { enabled: false, threshold: 10, amount: 20 };
      }
      const page = await fixture.open(billingPath, look);
      const each = async (state: string) => {
        await expectSoundEverywhere(page, `${what}, ${state}`);
      };
      await each("page");
      await panelOf(page)
        .getByRole("button", { name: /^(Add payment method|Добавить способ оплаты)$/ })
        .click();
      await page.getByRole("dialog").waitFor();
      await each("add");
      if (what !== "three cards") return;
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await panelOf(page).locator("[data-remove]").first().click();
      await page.getByRole("dialog").waitFor();
      await each("remove");
    },
  );
});
