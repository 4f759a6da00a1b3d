import { billingRoutes } from "@palisade/contract/http/billing";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  expectNoSidewaysScroll,
  expectSound,
  settled,
  watchForErrors,
} from "../screens/inspect.ts";
import type { TestAccount } from "../screens/accounts.ts";
import {
  balanceCents,
  onSandboxPage,
  orderTopUp,
  startBillingFixture,
  type BillingFixture,
} from "./fixture.ts";
import { openRecharge } from "./recharge-modal.ts";

/** Topping up with the real product: modal, sandbox checkout, return, balance. */

let fixture: BillingFixture;

beforeAll(async () => {
  fixture = await startBillingFixture();
  await fixture.command("promo", "add", "WELCOME10", "--percent", "10");
  await fixture.command("promo", "add", "ONLYONE", "--percent", "50", "--total", "1");
});

afterEach(async () => {
  await fixture.closePages();
});

afterAll(async () => {
  await fixture?.end();
});

async function storedBalance(account: TestAccount): Promise<number> {
  return (await account.call(routes.auth.user, {})).data.user.balance_cents;
}

async function ordered(account: TestAccount): Promise<number> {
  return (await account.call(billingRoutes.listTransactions, { query: {} })).data.total;
}

describe("paying", () => {
  test("20 euros by card are 20 euros of balance everywhere, and the address forgets the order", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    const errors = watchForErrors(page);
    const modal = await openRecharge(page);
    await modal.getByLabel("Amount").fill("20");
    await modal.getByRole("button", { name: "Pay €20.00" }).click();
    await onSandboxPage(page, /^Pay/);

    await page.getByText("€20.00 credited to your balance").waitFor();
    await page.waitForURL((url) => url.pathname === "/dashboard/billing" && url.search === "");
    const figure = page.getByRole("region", { name: "Account balance" });
    await figure.getByText("€20.00").waitFor();
    const row = page.getByRole("row").filter({ hasText: "Top-up" });
    for (const name of ["Card or bank Sandbox", "+€20.00", "Completed"]) {
      await row.getByRole("cell", { name, exact: true }).waitFor();
    }
    expect(await page.getByRole("link", { name: "Continue setting up your server" }).count()).toBe(
      0,
    );
    await expectSound(page, "credited");

    await page.getByRole("link", { name: "Dashboard", exact: true }).first().click();
    await page.getByRole("region", { name: "Account balance" }).getByText("€20.00").waitFor();
    expect(await storedBalance(account)).toBe(2_000);
    // Fails where the books do not agree.
    await fixture.command("ledger", "verify");
    expect(errors).toEqual([]);
  });

  test("a promo code adds its bonus: in Russian, by PayPal, on the narrowest screen", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account, { locale: "ru", theme: "light", width: 320 });
    const modal = await openRecharge(page);
    await modal.getByRole("radio", { name: /PayPal/ }).check();
    await modal.getByRole("button", { name: "20 €", exact: true }).click();
    await modal.getByLabel("Промокод (необязательно)").fill("welcome10");
    await modal.getByRole("button", { name: "Применить" }).click();
    await modal.getByText("Промокод применён!").waitFor();
    const summary = (await modal.locator("dl").innerText()).replaceAll(/\s+/g, " ");
    expect(summary).toBe("Вы платите 20,00 € Бонус +2,00 € Налог 0% 0,00 € К зачислению 22,00 €");
    await expectSound(page, "promo code applied, 320 px");
    await modal.getByRole("button", { name: /^Оплатить 20,00/ }).click();
    await page.waitForURL("**/sandbox/checkout/**");
    await expectNoSidewaysScroll(page, "sandbox checkout, 320 px");
    await onSandboxPage(page, /^Оплатить|^Pay/);

    await page.getByText(/На баланс зачислено 22,00/).waitFor();
    await page.getByText(/Оплачено 20,00.€, бонус 2,00/).waitFor();
    await settled(page);
    await expectSound(page, "credited with bonus, 320 px");
    expect(await storedBalance(account)).toBe(2_200);
    expect(await balanceCents(account)).toBe(2_200);
  });

  test("a code typed but not applied counts, and a wrong one is told before any payment", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    const modal = await openRecharge(page);
    await modal.getByLabel("Amount").fill("10");
    await modal.getByLabel("Promo code (optional)").fill("NOSUCHCODE");
    await modal.getByRole("button", { name: "Pay €10.00" }).click();
    await modal.getByText("Invalid promo code").waitFor();
    expect(await ordered(account)).toBe(0);
    await modal.getByLabel("Promo code (optional)").fill("WELCOME10");
    await modal.getByRole("button", { name: "Pay €10.00" }).click();
    await onSandboxPage(page, /^Pay/);
    await page.getByText("€11.00 credited to your balance").waitFor();
  });

  test("a code that another account has used up by then adds nothing, and the page says so", async () => {
    const [quick, slow] = [await fixture.customer(), await fixture.customer()];
    const first = await orderTopUp(quick, 10, "ONLYONE");
    const second = await orderTopUp(slow, 10, "ONLYONE");
    const page = await fixture.open(quick);
    await page.goto(first.checkoutUrl);
    await onSandboxPage(page, /^Pay/);
    await page.getByText("€15.00 credited to your balance").waitFor();
    const other = await fixture.open(slow);
    await other.goto(second.checkoutUrl);
    await onSandboxPage(other, /^Pay/);
    await other.getByText("€10.00 credited to your balance").waitFor();
    await other.getByText("The promo code ONLYONE was used up before you paid").waitFor();
    await expectSound(other, "code used up");
  });

  test("by keyboard alone", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    await page.getByRole("main").getByRole("button", { name: "Recharge balance" }).focus();
    await page.keyboard.press("Enter");
    const modal = page.getByRole("dialog", { name: "Recharge balance" });
    await modal.getByRole("radio", { name: /Card or bank/ }).waitFor();
    // The dialog opens with the focus in the amount.
    await page.keyboard.type("5");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sandbox/checkout/**");
    await page.getByRole("button", { name: /^Pay/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("€5.00 credited to your balance").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("€5.00 credited to your balance").waitFor({ state: "detached" });
    expect(await storedBalance(account)).toBe(500);
  });

  test("in the middle of adding a server, the way back to it is offered", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    await page.evaluate("sessionStorage.setItem('setup_draft', '{}')");
    const { checkoutUrl } = await orderTopUp(account, 5);
    await page.goto(checkoutUrl);
    await onSandboxPage(page, /^Pay/);
    await page.getByRole("link", { name: "Continue setting up your server" }).click();
    await page.waitForURL("**/dashboard/setup**");
    expect(await storedBalance(account)).toBe(500);
  });
});

describe("not paying", () => {
  test("a user who cancels loses nothing and may try again with the same amount", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    const modal = await openRecharge(page);
    await modal.getByLabel("Amount").fill("35");
    await modal.getByRole("button", { name: /^Pay/ }).click();
    await onSandboxPage(page, /^Cancel/);
    await page.getByText("Payment cancelled").waitFor();
    await page.waitForURL((url) => url.search === "");
    await settled(page);
    await expectSound(page, "cancelled");
    await page.getByRole("button", { name: "Try again" }).click();
    expect(await modal.getByLabel("Amount").inputValue()).toBe("35");
    expect(await storedBalance(account)).toBe(0);
  });

  test("the browser's Back leads to a page that works, with what was typed", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    const modal = await openRecharge(page);
    await modal.getByLabel("Amount").fill("7");
    await modal.getByRole("button", { name: /^Pay/ }).click();
    await page.waitForURL("**/sandbox/checkout/**");
    await page.goBack();
    await page.getByRole("heading", { name: "Billing" }).waitFor();
    // The page may come back as it was left, modal included, or be loaded anew.
    if (!(await modal.isVisible())) await openRecharge(page);
    expect(await modal.getByLabel("Amount").inputValue()).toBe("7");
    await modal.getByRole("button", { name: "Pay €7.00" }).click();
    await onSandboxPage(page, /^Pay/);
    await page.getByText("€7.00 credited to your balance").waitFor();
    expect(await storedBalance(account)).toBe(700);
  });

  test("a user who comes back without an answer of the provider is told, and credited if they paid", async () => {
    const account = await fixture.customer();
    const { id, checkoutUrl } = await orderTopUp(account, 9);
    const page = await fixture.open(account, {
      path: `/dashboard/billing?intent=${id}&cancelled=1`,
    });
    await page.getByText("You came back without paying").waitFor();
    await expectSound(page, "turned back");
    const checkout = await page.context().newPage();
    await checkout.goto(checkoutUrl);
    await onSandboxPage(checkout, /^Pay/);
    await page.bringToFront();
    await page.getByText("€9.00 credited to your balance").waitFor();
  });
});

describe("until it is final", () => {
  test("a payment under way is waited for calmly, and found without a reload", async () => {
    const account = await fixture.customer();
    const { id, checkoutUrl } = await orderTopUp(account, 12);
    const page = await fixture.open(account, { path: `/dashboard/billing?intent=${id}` });
    await page.getByText("The payment provider has not confirmed it yet.").waitFor();
    expect(new URL(page.url()).search).toBe(`?intent=${id}`);
    await expectSound(page, "pending");
    const checkout = await page.context().newPage();
    await checkout.goto(checkoutUrl);
    await onSandboxPage(checkout, /^Pay/);
    await page.bringToFront();
    await page.getByText("€12.00 credited to your balance").waitFor();
    await page.getByRole("region", { name: "Account balance" }).getByText("€12.00").waitFor();
  });

  test.each([
    ["expired", "The payment page has expired", "status"],
    ["review", "Your payment is being reviewed", "alert"],
  ] as const)("what is %s is told with what to do", async (status, text, role) => {
    const account = await fixture.customer();
    const { id } = await orderTopUp(account, 3);
    const page = await fixture.open(account);
    await page.route("**/api/v1/billing/intents/**", async (route) => {
      const answer = await route.fetch();
      const { intent } = billingRoutes.getIntent.response.parse(await answer.json());
      await route.fulfill({ response: answer, json: { intent: { ...intent, status } } });
    });
    await page.goto(`/dashboard/billing?intent=${id}`);
    await page.getByRole(role).filter({ hasText: text }).waitFor();
    await page.waitForURL((url) => url.search === "");
    await settled(page);
    await expectSound(page, status);
  });

  test("a lost connection does not end the waiting", async () => {
    const account = await fixture.customer();
    const { id } = await orderTopUp(account, 4);
    const page = await fixture.open(account);
    await page.route("**/api/v1/billing/intents/**", (route) => route.abort());
    await page.goto(`/dashboard/billing?intent=${id}`);
    await page.getByText("The connection was lost.").waitFor();
    expect(new URL(page.url()).search).toBe(`?intent=${id}`);
    await page.unroute("**/api/v1/billing/intents/**");
    await page.getByText("The payment provider has not confirmed it yet.").waitFor();
  });

  test("the top-up of another account is not shown", async () => {
    const { id } = await orderTopUp(await fixture.customer(), 4);
    const stranger = await fixture.customer();
    const page = await fixture.open(stranger, { path: `/dashboard/billing?intent=${id}` });
    await page.getByText("This top-up is not one of yours.").waitFor();
    await page.waitForURL((url) => url.search === "");
    expect(await page.getByText("€4.00").count()).toBe(0);
  });
});

describe("one submit is one order", () => {
  test("however often the button is pressed", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    const modal = await openRecharge(page);
    await modal.getByLabel("Amount").fill("6");
    await modal.getByRole("button", { name: /^Pay/ }).dblclick();
    await page.waitForURL("**/sandbox/checkout/**");
    expect(await ordered(account)).toBe(1);
  });

  test("also when its answer was lost and it is sent again, with all that was typed", async () => {
    const account = await fixture.customer();
    const page = await fixture.open(account);
    const keys: (string | undefined)[] = [];
    await page.route("**/api/v1/billing/stripe/create-intent", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    const modal = await openRecharge(page);
    await modal.getByLabel("Amount").fill("20");
    await modal.getByLabel("Promo code (optional)").fill("WELCOME10");
    await modal.getByRole("button", { name: "Apply" }).click();
    await modal.getByText("Promo code applied!").waitFor();
    await modal.getByRole("button", { name: "Pay €20.00" }).click();
    const alert = modal.getByRole("alert");
    await alert.getByText("Error", { exact: true }).waitFor();
    await expectSound(page, "connection lost");
    expect(await modal.getByLabel("Amount").inputValue()).toBe("20");
    await modal.getByText("Promo code applied!").waitFor();
    await until(
      () => modal.getByRole("button", { name: "Pay €20.00" }).and(page.locator(":focus")).count(),
      { what: "the focus on the button again" },
    );
    await page.keyboard.press("Enter");
    await onSandboxPage(page, /^Pay/);
    await page.getByText("€22.00 credited to your balance").waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    // The top-up and its bonus.
    expect(await ordered(account)).toBe(2);
  });
});
