import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { clientOf, logInAs } from "../product/account.ts";
import type { TestAccount } from "../screens/accounts.ts";
import { expectSound, watchForErrors } from "../screens/inspect.ts";
import { startProviderFixture, type ProviderFixture } from "./provider-fixture.ts";
import { openRecharge } from "./recharge-modal.ts";

/** Paying with Stripe and PayPal: real redirects to the stand-ins' pages and back, and signed events. */

let fixture: ProviderFixture;

beforeAll(async () => {
  fixture = await startProviderFixture();
  await fixture.command("promo", "add", "WELCOME10", "--percent", "10");
});
afterEach(async () => {
  await fixture.closePages();
  // Fails where the books do not agree.
  await fixture.command("ledger", "verify");
});
afterAll(() => fixture?.end());

interface Provider {
  readonly method: "stripe" | "paypal";
  readonly pageUrl: string;
  readonly pay: string;
  readonly cancel: string;
  /** The list's words for a payment of this provider. */
  readonly shown: string;
}

const providers: readonly Provider[] = [
  {
    method: "stripe",
    pageUrl: "**/c/pay/**",
    pay: "Pay",
    cancel: "Cancel",
    shown: "Card or bank",
  },
  {
    method: "paypal",
    pageUrl: "**/checkoutnow**",
    pay: "Pay now",
    cancel: "Cancel and return",
    shown: "PayPal",
  },
];

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Fills the modal in and goes to the provider's page. */
async function begin(page: Page, { method, pageUrl }: Provider, promoCode = ""): Promise<void> {
  const modal = await openRecharge(page);
  await modal.getByLabel("Amount").fill("20");
  await modal.locator(`input[value=${method}]`).check();
  await modal.getByLabel("Promo code (optional)").fill(promoCode);
  await modal.getByRole("button", { name: "Pay €20.00" }).click();
  await page.waitForURL(pageUrl);
}

async function balanceOf(account: TestAccount): Promise<number> {
  return (await account.call(routes.auth.user, {})).data.user.balance_cents;
}

/** Kinds and states of all transactions, newest first. */
async function transactionsOf(account: TestAccount): Promise<string[]> {
  const { data } = await account.call(routes.billing.listTransactions, { query: {} });
  return data.data.map(({ type, status }) => `${type} ${status}`);
}

/** Every event that the provider has sent was taken. */
async function eventsTaken(): Promise<void> {
  await fixture.paypal.webhooks.settled();
  expect(fixture.paypal.webhooks.failures).toEqual([]);
}

const credited = (page: Page, sum = "€20.00") =>
  page.getByText(`${sum} credited to your balance`).waitFor();

describe.each(providers)("a top-up by $method", (provider) => {
  test("is paid on the provider's page and credited once, by return and event together", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    const errors = watchForErrors(page);
    await begin(page, provider);
    await press(page, provider.pay);
    await credited(page);
    await page.waitForURL((url) => url.pathname === "/dashboard/billing" && url.search === "");
    const row = page.getByRole("row").filter({ hasText: "Top-up" });
    for (const name of [provider.shown, "+€20.00", "Completed"]) {
      await row.getByRole("cell", { name, exact: true }).waitFor();
    }
    expect(await page.getByText("Sandbox").count()).toBe(0);
    await eventsTaken();
    expect([await balanceOf(account), await transactionsOf(account)]).toEqual([
      2_000,
      ["top_up completed"],
    ]);
    await expectSound(page, "credited");
    expect(errors).toEqual([]);
  });

  test("with a promo code is credited with its bonus", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account, { width: 390 });
    await begin(page, provider, "welcome10");
    await press(page, provider.pay);
    await credited(page, "€22.00");
    await page.getByText("€20.00 paid and €2.00 bonus.").waitFor();
    expect(await balanceOf(account)).toBe(2_200);
  });

  test("is credited by the event alone when the browser never comes back", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    await begin(page, provider);
    await page.route("**/dashboard/billing**", (route) => route.abort());
    await press(page, provider.pay).catch(() => undefined);
    await until(async () => (await balanceOf(account)) === 2_000, { what: "the credit" });
  });

  test("in two tabs that are paid at once is credited once, and both are told", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    await begin(page, provider);
    const second = await page.context().newPage();
    await second.goto(page.url());
    await Promise.all([press(page, provider.pay), press(second, provider.pay)]);
    // Stripe sends one of them back and tells the other; PayPal sends both back.
    for (const tab of [page, second]) {
      await tab.getByText(/€20\.00 credited to your balance|You have paid\./).waitFor();
    }
    await page.goto("/dashboard/billing");
    await page.getByRole("region", { name: "Account balance" }).getByText("€20.00").waitFor();
    await eventsTaken();
    expect([await balanceOf(account), await transactionsOf(account)]).toEqual([
      2_000,
      ["top_up completed"],
    ]);
  });

  test("after the session has ended leads through the login to the result", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    await begin(page, provider);
    await account.call(routes.account.revokeSessions, {});
    await press(page, provider.pay);
    await page.waitForURL((url) => url.pathname === "/login");
    await page.getByText("Your session has expired. Please log in again.").waitFor();
    await page.getByLabel("Email", { exact: true }).fill(account.email);
    await page.getByLabel("Password", { exact: true }).fill(account.password);
    await press(page, "Log in");
    await credited(page);
    await page.waitForURL((url) => url.pathname === "/dashboard/billing" && url.search === "");
    const back = await logInAs(fixture.palisade.consoleUrl, account.email);
    const { data } = await clientOf(fixture.palisade.consoleUrl, back)(routes.auth.user, {});
    expect(data.user.balance_cents).toBe(2_000);
  });
});

describe("a cancelled top-up", () => {
  test("by Stripe is closed there, and takes no payment of another tab any more", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    const [stripe] = providers;
    if (stripe === undefined) throw new Error("Stripe is missing");
    await begin(page, stripe);
    const checkout = page.url();
    await press(page, "Cancel");
    await page.getByText("Payment cancelled").waitFor();
    await page.waitForURL((url) => url.search === "");
    await page.goto(checkout);
    await page.getByText("This page has expired.").waitFor();
    expect([await balanceOf(account), await transactionsOf(account)]).toEqual([
      0,
      ["top_up cancelled"],
    ]);
  });

  test("by PayPal, which closes no order, says that it may still be paid", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    const [, paypal] = providers;
    if (paypal === undefined) throw new Error("PayPal is missing");
    await begin(page, paypal);
    const checkout = page.url();
    await press(page, "Cancel and return");
    await page.getByText("You came back without paying").waitFor();
    const second = await page.context().newPage();
    await second.goto(checkout);
    await press(second, "Pay now");
    await credited(second);
    await page.bringToFront();
    await credited(page);
    expect(await balanceOf(account)).toBe(2_000);
  });
});

describe("on Stripe's page", () => {
  const [stripe] = providers;

  test("another card pays after one that was declined, with 3-D Secure", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    if (stripe !== undefined) await begin(page, stripe);
    await press(page, "Pay with a declined card");
    await page.getByRole("alert").getByText("Your card was declined.").waitFor();
    await press(page, "Pay with 3-D Secure");
    await page.getByRole("heading", { name: "Your bank" }).waitFor();
    await press(page, "Approve");
    await credited(page);
    expect(await transactionsOf(account)).toEqual(["top_up completed"]);
  });

  test("a bank debit is waited for, and found without a reload when the bank has paid", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    if (stripe !== undefined) await begin(page, stripe);
    const session = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await press(page, "Pay by bank debit");
    await page.getByText("The payment provider has not confirmed it yet.").waitFor();
    expect(await balanceOf(account)).toBe(0);
    fixture.stripe.state.finishDebit(session, "succeeded");
    await credited(page);
  });
});

const mailbox = z.array(z.object({ to: z.string(), text: z.string() }));

/** The payment page that a mail to this address leads to. */
async function mailedPaymentPage(email: string): Promise<string> {
  return until(
    async () => {
      const answer = await fetch(`${fixture.palisade.consoleUrl}/dev/mail.json`);
      const mails = mailbox.parse(await answer.json()).filter(({ to }) => to.includes(email));
      return mails.map(({ text }) => /http:\/\/\S+\/c\/pay\/\S+/.exec(text)?.[0]).find(Boolean);
    },
    // The job that charges runs at each full minute.
    { what: `a mail to ${email} with a payment page`, capMs: 180_000 },
  );
}

describe("a saved card", () => {
  const panelOf = (page: Page) => page.getByRole("region", { name: "Payment methods" });

  async function save(page: Page): Promise<void> {
    await panelOf(page).getByRole("button", { name: "Add payment method" }).click();
    await press(page, "Continue to Stripe");
    await page.waitForURL("**/c/pay/**");
  }

  test("is left without saving, then saved, and removed here and at Stripe", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    await save(page);
    await press(page, "Cancel");
    await page.getByText("You came back without saving a card").waitFor();
    await panelOf(page).getByText("No card saved").waitFor();
    await save(page);
    await press(page, "Save card");
    await page.getByText("Card saved", { exact: true }).waitFor();
    await panelOf(page).getByText("Visa •••• 4242").waitFor();
    await page.waitForURL((url) => url.search === "");
    await expectSound(page, "card saved");
    await press(page, "Remove Visa •••• 4242");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await panelOf(page).getByText("No card saved").waitFor();
    await until(
      () =>
        fixture.stripe.calls.some((call) => /POST \/v1\/payment_methods\/\w+\/detach/.test(call)),
      { what: "the removal at Stripe" },
    );
  });

  test("that its bank wants to see confirmed is charged by the mail's link, once", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    await save(page);
    await press(page, "Save card with 3-D Secure");
    await press(page, "Approve");
    await page.getByText("Card saved", { exact: true }).waitFor();

    const topUp = page.getByRole("region", { name: "Automatic top-up" });
    await topUp.getByRole("switch", { name: "Top up automatically" }).press("Space");
    await topUp.getByLabel("When the balance is below").fill("15");
    await topUp.getByLabel("Charge this amount").fill("30");
    await topUp.getByRole("button", { name: "Save" }).click();
    await page.getByText("Automatic top-up settings saved").waitFor();

    const paymentPage = await mailedPaymentPage(account.email);
    expect(await balanceOf(account)).toBe(0);
    await page.goto(paymentPage);
    await press(page, "Pay with 3-D Secure");
    await press(page, "Approve");
    await credited(page, "€30.00");
    expect(await balanceOf(account)).toBe(3_000);
    expect(
      (await transactionsOf(account)).filter((each) => each === "top_up completed"),
    ).toHaveLength(1);
  });
});
