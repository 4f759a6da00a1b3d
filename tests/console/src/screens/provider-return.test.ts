import type { PaymentIntent } from "@palisade/contract/http/billing";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { openRecharge } from "@palisade/system-tests/billing/recharge-modal";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";
import { accessToken } from "../stub-api/stub-api.ts";

/** The way to the provider's page, and what the billing page says after the way back. */

const { auth, billing, paymentMethods } = routes;
const billingPath = "/dashboard/billing";
const topUp = `${billingPath}?intent=${exampleIds.entry}`;
const setup = `${billingPath}?card=${exampleIds.entry}`;
const fixture = useConsole();

/** From now on the three routes about an intent answer this. */
function intentIs(change: Partial<PaymentIntent>): void {
  for (const route of [billing.getIntent, billing.confirmIntent, billing.closeIntent]) {
    fixture.api.change(route, ({ intent }) => ({
      intent: { ...intent, promo: null, bonus_cents: 0, bonus_amount: "0.00", ...change },
    }));
  }
}

const addressIsClean = (page: Page) =>
  page.waitForURL((url) => url.pathname === billingPath && url.search === "");

describe("paying", () => {
  test.each([
    ["stripe", "https://checkout.stripe.com/**", billing.createStripeIntent],
    ["paypal", "https://www.paypal.com/**", billing.createPaypalOrder],
  ] as const)("by %s leads to the provider's own page", async (method, address, route) => {
    fixture.api.change(billing.getPaymentOptions, (usual) => ({
      ...usual,
      methods: [
        { payment_method: "stripe" as const, mode: "live" as const },
        { payment_method: "paypal" as const, mode: "live" as const },
      ],
    }));
    const page = await fixture.open(billingPath);
    await page.route(address, (each) =>
      each.fulfill({ contentType: "text/html", body: "<h1>The provider's page</h1>" }),
    );
    const modal = await openRecharge(page);
    await modal.getByLabel("Amount").fill("20");
    await modal.locator(`input[value=${method}]`).check();
    await modal.getByRole("button", { name: "Pay €20.00" }).click();
    await page.getByRole("heading", { name: "The provider's page" }).waitFor();
    expect(fixture.api.callsOf(route).map(({ body }) => body)).toEqual([
      { amount: 20, payment_method: method },
    ]);
  });
});

describe("after a top-up", () => {
  test("that was paid the sum is told, and the address forgets it", async () => {
    intentIs({ status: "completed", total_cents: 2_000, amount_cents: 2_000 });
    const page = await fixture.open(topUp);
    await page.getByText("€20.00 credited to your balance").waitFor();
    await addressIsClean(page);
    expect(fixture.api.callsOf(billing.closeIntent)).toEqual([]);
  });

  test("that was cancelled the checkout is closed, and no other call asks about it", async () => {
    intentIs({ status: "expired" });
    const page = await fixture.open(`${topUp}&cancelled=1`);
    await page.getByText("Payment cancelled").waitFor();
    await page.getByText("Nothing was charged and your balance is unchanged.").waitFor();
    await addressIsClean(page);
    expect(fixture.api.callsOf(billing.closeIntent)).toHaveLength(1);
    expect(fixture.api.callsOf(billing.confirmIntent)).toEqual([]);
    await expectSound(page, "cancelled");
  });

  test("that was cancelled in one tab and paid in another says that it is paid", async () => {
    intentIs({ status: "completed", total_cents: 2_000, amount_cents: 2_000 });
    const page = await fixture.open(`${topUp}&cancelled=1`);
    await page.getByText("€20.00 credited to your balance").waitFor();
    expect(await page.getByText("Payment cancelled").count()).toBe(0);
  });

  test("that cannot be closed may still be paid, and says so", async () => {
    intentIs({ status: "pending" });
    const page = await fixture.open(`${topUp}&cancelled=1`);
    await page.getByText("You came back without paying").waitFor();
    intentIs({ status: "completed", total_cents: 2_000, amount_cents: 2_000 });
    await page.getByText("€20.00 credited to your balance").waitFor();
    expect(fixture.api.callsOf(billing.closeIntent)).toHaveLength(1);
  });

  test("that expired by itself says that the page has expired", async () => {
    intentIs({ status: "expired" });
    const page = await fixture.open(topUp);
    await page.getByText("The payment page has expired").waitFor();
    expect(await page.getByText("Payment cancelled").count()).toBe(0);
  });

  test("a session that has ended leads through the login back to the result", async () => {
    intentIs({ status: "completed", total_cents: 2_000, amount_cents: 2_000 });
    fixture.state.user = { ...fixture.state.user, two_factor_enabled: false };
    fixture.api.change(auth.login, (usual) => ({ ...usual, access_token: accessToken }));
    const page = await fixture.open(`${topUp}&token=5O190127TN364715T&PayerID=X`, {
      token: "pst_no_longer_good",
    });
    await page.waitForURL((url) => url.pathname === "/login");
    await page.getByLabel("Email").fill("anna@example.com");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.getByText("€20.00 credited to your balance").waitFor();
    await addressIsClean(page);
    expect(fixture.api.callsOf(auth.login)).toHaveLength(1);
  });
});

describe("after saving a card", () => {
  const setupIs = (status: "open" | "completed" | "ended") =>
    fixture.api.change(paymentMethods.confirmCardSetup, (usual) => ({
      ...usual,
      setup: { ...usual.setup, status },
    }));

  test("it is told and listed, and the address forgets the set-up", async () => {
    fixture.state.cards = { mode: "live", cards: [] };
    const saved = example(paymentMethods.listCards);
    fixture.api.change(paymentMethods.confirmCardSetup, (usual) => {
      fixture.state.cards = saved;
      return { ...usual, ...saved };
    });
    const page = await fixture.open(setup);
    await page.getByText("Card saved").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Visa •••• 4242" }).waitFor();
    await addressIsClean(page);
    await expectSound(page, "card saved");
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("Card saved").waitFor({ state: "detached" });
  });

  test("it is waited for until the provider says so", async () => {
    setupIs("open");
    const page = await fixture.open(setup, { width: 390 });
    await page.getByText("Saving your card…").waitFor();
    expect(new URL(page.url()).search).toBe(`?card=${exampleIds.entry}`);
    await expectSound(page, "saving");
    setupIs("completed");
    await page.getByText("Card saved").waitFor();
  });

  test("a lost connection does not end the waiting", async () => {
    fixture.api.cut(paymentMethods.confirmCardSetup);
    const page = await fixture.open(setup);
    await page.getByText("The connection was lost. Your card is not affected").waitFor();
    expect(new URL(page.url()).search).toBe(`?card=${exampleIds.entry}`);
    fixture.api.restore(paymentMethods.confirmCardSetup);
    await page.getByText("Card saved").waitFor();
  });

  test("one that was left says that nothing was saved, and offers another try", async () => {
    const page = await fixture.open(`${setup}&cancelled=1`);
    await page.getByText("You came back without saving a card").waitFor();
    await addressIsClean(page);
    expect(fixture.api.callsOf(paymentMethods.confirmCardSetup)).toEqual([]);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("dialog", { name: "Add payment method" }).waitFor();
  });

  test("one that ended without a card says so", async () => {
    setupIs("ended");
    const page = await fixture.open(setup);
    await page.getByText("The card was not saved").waitFor();
    await addressIsClean(page);
    expect(await page.getByText("Card saved").count()).toBe(0);
  });

  test("nothing is shown of another account", async () => {
    fixture.api.refuse(paymentMethods.confirmCardSetup, "not_found");
    const page = await fixture.open(setup);
    await page.getByText("This card is not one of yours.").waitFor();
    await addressIsClean(page);
    expect(await page.getByText("Card saved").count()).toBe(0);
  });
});

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("every result is sound on the narrowest screen", async () => {
    const page = await fixture.page({ ...look, width: 320 });
    for (const status of ["completed", "cancelled", "review", "pending"] as const) {
      intentIs({ status });
      await page.goto(topUp);
      await page
        .getByRole(status === "review" ? "alert" : "status")
        .first()
        .waitFor();
      await expectSound(page, status);
    }
    for (const status of ["open", "completed", "ended"] as const) {
      fixture.api.change(paymentMethods.confirmCardSetup, (usual) => ({
        ...usual,
        setup: { ...usual.setup, status },
      }));
      await page.goto(setup);
      await page.getByRole("status").first().waitFor();
      await expectSound(page, `card ${status}`);
    }
  });
});
