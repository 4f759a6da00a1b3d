import { billingRoutes } from "@palisade/contract/http/billing";
import type { Page } from "playwright-core";
import type { PageOptions } from "../console/pages.ts";
import { runCommand, type Palisade } from "../product/palisade.ts";
import { shareProduct, startProduct } from "../console/product.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";

/** The product, and a browser to pay in. */
export interface BillingFixture {
  readonly palisade: Palisade;
  /** A customer of their own for each test: what one tops up is not another's. */
  customer(): Promise<TestAccount>;
  /** The billing page of that customer, with everything loaded. */
  open(account: TestAccount, options?: OpenOptions): Promise<Page>;
  /** A command of `npm run palisade`. */
  command(...args: string[]): Promise<string>;
  closePages(): Promise<void>;
  end(): Promise<void>;
}

export interface OpenOptions extends PageOptions {
  readonly path?: string;
}

let customers = 0;

/**
 * Takes payments of the sandbox, unless the settings name other providers.
 *
 * @param settings without any, the product is the one that all files share
 */
export async function startBillingFixture(
  settings?: Record<string, string>,
): Promise<BillingFixture> {
  const product = await (settings === undefined ? shareProduct() : startProduct(settings));
  const { palisade, pages, end } = product;
  return {
    palisade,
    customer: () => createAccount(palisade.consoleUrl, `payer${(customers += 1)}@example.com`),
    open: (account, { path = "/dashboard/billing", ...options } = {}) =>
      pages.open(path, { token: account.token, ...options }),
    command: (...args) => runCommand(palisade.home, args),
    closePages: pages.end,
    end,
  };
}

export async function balanceCents(account: TestAccount): Promise<number> {
  const { data } = await account.call(billingRoutes.listTransactions, { query: { per_page: 100 } });
  const completed = data.data.filter(({ status }) => status === "completed");
  return completed.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** A top-up ordered by the API, not paid yet. */
export async function orderTopUp(
  account: TestAccount,
  amount: number,
  promoCode?: string,
): Promise<{ readonly id: string; readonly checkoutUrl: string }> {
  const { data } = await account.call(billingRoutes.createStripeIntent, {
    body: {
      amount,
      payment_method: "stripe",
      ...(promoCode === undefined ? {} : { promo_code: promoCode }),
    },
  });
  return { id: data.intent.id, checkoutUrl: data.checkout_url };
}

/** Presses a button of the sandbox's own checkout page. */
export async function onSandboxPage(page: Page, press: RegExp): Promise<void> {
  await page.waitForURL("**/sandbox/checkout/**");
  await page.getByRole("button", { name: press }).click();
  await page.waitForURL("**/dashboard/billing**");
}
