import { routes } from "@palisade/contract/http/routes";
import { openRecharge } from "@palisade/system-tests/billing/recharge-modal";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import {
  expectSound,
  expectSoundEverywhere,
  watchForErrors,
} from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { createTransactions } from "../stub-api/account-state.ts";

/** The billing page: its table, pages and filters, its modals, and what they show while they wait. */

const { billing } = routes;
const billingPath = "/dashboard/billing";
const fixture = useConsole();

/** Three pages of transactions: one cancelled, one completed top-up, waiting ones, adjustments. */
beforeEach(() => {
  const count = 31;
  fixture.state.transactions = createTransactions(count, (index) => {
    if (index === 0) return { status: "completed" };
    if (index === 1) return { status: "cancelled" };
    if (index < count - 3) return { status: "pending" };
    return { type: "adjustment", payment_method: "operator", status: "completed" };
  });
  fixture.api.change(billing.getPaymentOptions, (usual) => ({
    ...usual,
    methods: [
      { payment_method: "stripe" as const, mode: "sandbox" as const },
      { payment_method: "paypal" as const, mode: "sandbox" as const },
    ],
    minimum: 1,
    maximum: 973,
  }));
});

const rowsOf = (page: Page) =>
  page.getByRole("table", { name: "Transactions" }).locator("tbody tr");
const searchOf = (page: Page) => new URL(page.url()).search;

describe("pages", () => {
  test("first, previous, next and last lead through them and stand in the address", async () => {
    const page = await fixture.open(billingPath);
    await page.getByText("of 3").waitFor();
    expect(await rowsOf(page).count()).toBe(15);
    for (const name of ["First page", "Previous page"]) {
      expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
    }
    await page.getByRole("button", { name: "Next page" }).click();
    await page.waitForURL((url) => url.search === "?page=2");
    await page.getByRole("button", { name: "Last page" }).click();
    await page.waitForURL((url) => url.search === "?page=3");
    // Until then the buttons are those of the page before.
    await until(async () => (await rowsOf(page).count()) === 1, { what: "the last page" });
    await page.getByRole("button", { name: "Previous page" }).click();
    await page.waitForURL((url) => url.search === "?page=2");
    await page.getByRole("button", { name: "First page" }).click();
    await page.waitForURL((url) => url.search === "");
    await page.goBack();
    await page.waitForURL((url) => url.search === "?page=2");
  });

  test.each([
    ["99", "3", "?page=3"],
    ["0", "1", ""],
    ["-2", "2", "?page=2"],
    ["1e3", "3", "?page=3"],
    ["x", "1", ""],
  ])("%j typed as a page number becomes %s", async (typed, shown, search) => {
    const page = await fixture.open(billingPath);
    const input = page.getByRole("textbox", { name: "Page number" });
    await input.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(typed);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.search === search);
    expect(await page.getByRole("textbox", { name: "Page number" }).inputValue()).toBe(shown);
  });

  test("an address that names a page there is not leads to the last one", async () => {
    const page = await fixture.open("/dashboard/billing?page=77");
    await page.waitForURL((url) => url.search === "?page=3");
    await rowsOf(page).filter({ hasText: "Adjustment" }).first().waitFor();
    expect(await page.getByRole("button", { name: "Last page" }).isDisabled()).toBe(true);
  });

  test.each(["?page=-1", "?page=1e309", "?page=abc", "?status=nonsense", "?intent=7"])(
    "an address with %s still shows the page",
    async (search) => {
      const page = await fixture.open(`${billingPath}${search}`);
      expect(await rowsOf(page).count()).toBe(15);
    },
  );
});

describe("filters", () => {
  test("stand in the address, begin at the first page, and can be taken back", async () => {
    const page = await fixture.open("/dashboard/billing?page=2");
    await page.getByRole("combobox", { name: "Status" }).selectOption("Cancelled");
    await page.waitForURL((url) => url.search === "?status=cancelled");
    await rowsOf(page).filter({ hasText: "Cancelled" }).waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await page.getByRole("combobox", { name: "Type" }).selectOption("Purchase");
    await page.getByText("No data to display").waitFor();
    expect(searchOf(page)).toBe("?status=cancelled&type=purchase");
    await expectSound(page, "nothing matches");
    await page.reload();
    await page.getByText("No data to display").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.waitForURL((url) => url.search === "");
    await page.getByText("of 3").waitFor();
  });
});

describe("while its transactions are on their way", () => {
  test("skeletons while it waits, and the table after", async () => {
    const page = await fixture.open("/dashboard");
    const release = fixture.api.delay(billing.listTransactions);
    await page.goto(billingPath);
    await page.locator("[aria-busy=true] .mantine-Skeleton-root").first().waitFor();
    await expectSound(page, "loading");
    release();
    await rowsOf(page).first().waitFor();
  });

  test("the failure, and the table once calls succeed again", async () => {
    const page = await fixture.open("/dashboard");
    fixture.api.cut(billing.listTransactions);
    await page.goto(billingPath);
    const alert = page.getByRole("alert").filter({ hasText: "Error fetching transactions" });
    await alert.waitFor();
    await expectSound(page, "failed");
    fixture.api.restore(billing.listTransactions);
    await tryAgain(alert);
    await rowsOf(page).first().waitFor();
  });
});

describe.each([
  {
    locale: "en",
    amount: "Amount",
    coupon: "Promo code (optional)",
    apply: "Apply",
    pay: /^Pay/,
    minimum: "Minimum amount is 1€",
    maximum: "You can top up 973 € more today",
    first: "Enter valid amount first",
    applied: "Promo code applied!",
    invalid: "Invalid promo code",
    error: "Error",
  },
  {
    locale: "ru",
    amount: "Сумма",
    coupon: "Промокод (необязательно)",
    apply: "Применить",
    pay: /^Оплатить/,
    minimum: "Минимальная сумма — 1€",
    maximum: "Сегодня можно пополнить ещё на 973 €",
    first: "Сначала введите корректную сумму",
    applied: "Промокод применён!",
    invalid: "Неверный промокод",
    error: "Ошибка",
  },
] as const)("the rules of the recharge modal in $locale", (texts) => {
  const shown = async (page: Page, text: string) =>
    page.getByRole("dialog").getByText(text, { exact: true }).waitFor();

  test("digits only, at least 1 euro, no more than may be topped up today", async () => {
    const page = await fixture.open(billingPath, { locale: texts.locale });
    const modal = await openRecharge(page);
    const amount = modal.getByLabel(texts.amount);
    await amount.pressSequentially("1a2.,-3 €");
    expect(await amount.inputValue()).toBe("123");
    for (const [typed, problem] of [
      ["", texts.minimum],
      ["0", texts.minimum],
      ["5000", texts.maximum],
    ] as const) {
      await amount.fill(typed);
      await modal.getByRole("button", { name: texts.pay }).click();
      await shown(page, problem);
    }
    expect(page.url()).toContain("/dashboard/billing");
  });

  test("a code needs an amount; it is told whether it counts, and editing takes it back", async () => {
    const page = await fixture.open(billingPath, { locale: texts.locale });
    const modal = await openRecharge(page);
    const [amount, coupon] = [modal.getByLabel(texts.amount), modal.getByLabel(texts.coupon)];
    const apply = modal.getByRole("button", { name: texts.apply });
    await coupon.fill("WELCOME10");
    await apply.click();
    await shown(page, texts.first);
    for (const edit of [() => amount.fill("30"), () => coupon.fill("WELCOME1")]) {
      await amount.fill("20");
      await coupon.fill("WELCOME10");
      await apply.click();
      await shown(page, texts.applied);
      await edit();
      await modal.getByText(texts.applied).waitFor({ state: "detached" });
    }
    await apply.click();
    await shown(page, texts.invalid);
    await coupon.fill("");
    await modal.getByText(texts.invalid).waitFor({ state: "detached" });
    expect(await amount.inputValue()).toBe("20");
  });

  test("a lost connection is told, and what was typed stays through it", async () => {
    const page = await fixture.open(billingPath, { locale: texts.locale });
    fixture.api.cut(billing.createStripeIntent);
    const modal = await openRecharge(page);
    await modal.getByLabel(texts.amount).fill("20");
    await modal.getByRole("button", { name: texts.pay }).click();
    await shown(page, texts.error);
    expect(await modal.getByLabel(texts.amount).inputValue()).toBe("20");
    await page.keyboard.press("Escape");
    await modal.waitFor({ state: "detached" });
    await openRecharge(page);
    expect(await modal.getByLabel(texts.amount).inputValue()).toBe("20");
  });
});

test("a provider that is not set up cannot be chosen, and says why", async () => {
  fixture.api.change(billing.getPaymentOptions, (usual) => ({
    ...usual,
    methods: [
      { payment_method: "stripe" as const, mode: "unavailable" as const },
      { payment_method: "paypal" as const, mode: "live" as const },
    ],
    minimum: 1,
    maximum: 1000,
  }));
  const page = await fixture.open(billingPath);
  const modal = await openRecharge(page);
  await modal.getByText("Not set up on this installation").waitFor();
  expect(await modal.locator("input[value=stripe]").isDisabled()).toBe(true);
  expect(await modal.getByRole("radio", { name: /PayPal/ }).isChecked()).toBe(true);
  expect(await modal.getByText("Sandbox").count()).toBe(0);
  await expectSound(page, "one provider");
});

describe("opening and closing", () => {
  test("the palette opens the modal from any page, and Escape leads back to that page", async () => {
    const page = await fixture.open("/dashboard");
    await page.keyboard.press("Control+K");
    await page.getByRole("combobox", { name: "Jump to" }).waitFor();
    await page.keyboard.type("recharge");
    await page.keyboard.press("Enter");
    const modal = page.getByRole("dialog", { name: "Recharge balance" });
    await modal.waitFor();
    await page.keyboard.press("Escape");
    await modal.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/dashboard");
  });

  test("Escape gives the focus back to the button that opened the modal", async () => {
    const page = await fixture.open(billingPath);
    const button = page.getByRole("main").getByRole("button", { name: "Recharge balance" });
    await button.press("Enter");
    const modal = page.getByRole("dialog", { name: "Recharge balance" });
    await modal.waitFor();
    await page.keyboard.press("Escape");
    await modal.waitFor({ state: "detached" });
    await until(() => button.and(page.locator(":focus")).count(), { what: "the focus back" });
  });

  test("leaving the page closes the modal", async () => {
    const page = await fixture.open("/dashboard");
    await page.getByRole("link", { name: "Billing", exact: true }).click();
    await openRecharge(page);
    await page.goBack();
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("page and modals are sound at every width", async () => {
    const page = await fixture.open(billingPath, look);
    const errors = watchForErrors(page);
    const each = async (what: string) => {
      await expectSoundEverywhere(page, what);
    };
    await each("billing");
    const modal = await openRecharge(page);
    await modal.locator("input[name=amount]").fill("20");
    await modal.locator("input[name=promo_code]").fill("NOPE");
    await modal.getByRole("button", { name: /^(Apply|Применить)$/ }).click();
    await modal.getByText(/^(Invalid promo code|Неверный промокод)$/).waitFor();
    await each("recharge modal");
    await page.keyboard.press("Escape");
    await page
      .getByRole("button", { name: /^(Add payment method|Добавить способ оплаты)$/ })
      .click();
    await page.getByRole("button", { name: /Stripe$/ }).waitFor();
    await each("add payment method");
    expect(errors.filter((error) => !error.includes("422"))).toEqual([]);
  });
});
