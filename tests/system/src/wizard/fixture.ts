import { routes } from "@palisade/contract/http/routes";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import type { OpenOptions } from "../console/pages.ts";
import { runCommand } from "../product/palisade.ts";
import { startProduct, type Product } from "../console/product.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";

/** The product with a browser, DNS of the owners' own domains, and buyers as many as are needed. */
export interface WizardFixture extends Pick<Product, "palisade" | "database" | "end"> {
  readonly zone: FakeZone;
  /** A new account with this many euros. */
  buyer(euros?: number): Promise<TestAccount>;
  credit(account: TestAccount, euros: number): Promise<void>;
  /** Opens a path as this person and waits until it is there. */
  open(account: TestAccount, path: string, options?: OpenOptions): Promise<Page>;
  closePages(): Promise<void>;
}

export async function startWizardFixture(): Promise<WizardFixture> {
  const zone = await startFakeZone();
  const product = await startProduct({ PALISADE_DNS_RESOLVERS: zone.address });
  const { palisade, database, pages } = product;
  let buyers = 0;

  async function credit(account: TestAccount, euros: number): Promise<void> {
    await runCommand(palisade.home, [
      "ledger",
      "credit",
      account.email,
      String(euros),
      "--reason",
      "Test",
    ]);
  }

  return {
    palisade,
    zone,
    database,
    credit,
    closePages: pages.end,
    async buyer(euros = 0) {
      buyers += 1;
      const account = await createAccount(palisade.consoleUrl, `buyer${buyers}@example.com`);
      // Its edge may still be saying hello.
      await until(
        async () =>
          (await account.call(routes.plans.listLocations, { query: {} })).data.locations.some(
            ({ name, is_available: isOpen }) => name === "local" && isOpen,
          ),
        { what: "the location of this machine" },
      );
      if (euros > 0) await credit(account, euros);
      return account;
    },
    open: (account, path, options) => pages.open(path, { token: account.token, ...options }),
    async end() {
      await product.end();
      await zone.close();
    },
  };
}

/** How many shields the account has, and what is left of its money. */
export async function shieldsAndBalanceOf({
  call,
}: TestAccount): Promise<{ shields: number; cents: number }> {
  const { data: servers } = await call(routes.servers.listServers, { query: {} });
  const { user } = (await call(routes.auth.user, {})).data;
  return { shields: servers.total, cents: user.balance_cents };
}
