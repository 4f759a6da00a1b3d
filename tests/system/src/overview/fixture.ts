import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import type { OpenOptions } from "../console/pages.ts";
import { runCommand } from "../product/palisade.ts";
import { shareProduct, startProduct, type Product } from "../console/product.ts";
import type { TestAccount } from "../screens/accounts.ts";

/** The product with owners of shields. */
export interface OverviewFixture extends Pick<Product, "palisade" | "database" | "end"> {
  /** Opens a page as this person and waits until it is there. */
  open(account: TestAccount, path: string, options?: OpenOptions): Promise<Page>;
  /** Closes every page; polls that are on their way end with them. */
  closePages(): Promise<void>;
  credit(account: TestAccount, euros: string): Promise<void>;
  setStatus(shieldId: string, status: "active" | "expired" | "blocked" | "deleted"): Promise<void>;
}

/** @param settings without any, the product is the one that all files share */
export async function startOverviewFixture(
  settings?: Record<string, string>,
): Promise<OverviewFixture> {
  const product = await (settings === undefined ? shareProduct() : startProduct(settings));
  const { palisade, database, pages, end } = product;
  return {
    palisade,
    database,
    open: (account, path, options) => pages.open(path, { token: account.token, ...options }),
    closePages: pages.end,
    async credit(account, euros) {
      await runCommand(palisade.home, [
        "ledger",
        "credit",
        account.email,
        euros,
        "--reason",
        "Test",
      ]);
    },
    async setStatus(shieldId, status) {
      const deletedAt = status === "deleted" ? new Date() : null;
      await database.query("update shields set status = $2, deleted_at = $3 where id = $1", [
        shieldId,
        status,
        deletedAt,
      ]);
    },
    end,
  };
}

export interface ShieldOptions {
  readonly plan: string;
  readonly name: string;
  readonly domain: string;
  /** Port on this machine; no server has to listen there. */
  readonly port?: number;
}

/** Buys a shield by the API; @returns its id */
export async function buyShield(account: TestAccount, options: ShieldOptions): Promise<string> {
  const { plans } = (await account.call(routes.plans.listPricingPlans, {})).data;
  const plan = plans.find(({ name }) => name === options.plan);
  if (plan === undefined) throw new Error(`There is no plan ${options.plan}`);
  // The edge may still be saying hello.
  await until(
    async () =>
      (await account.call(routes.plans.listLocations, { query: {} })).data.locations.some(
        ({ name, is_available: isAvailable }) => name === "local" && isAvailable,
      ),
    { what: "the location of this machine" },
  );
  const { cname_record } = (await account.call(routes.servers.generateCname, {})).data;
  const { data } = await account.call(routes.servers.createServer, {
    body: {
      pricing_plan_id: plan.id,
      server_name: options.name,
      real_ip: "127.0.0.1",
      real_port: options.port ?? 25_565,
      location: "local",
      domain: options.domain,
      cname_record,
    },
  });
  return data.server.id;
}

export function shieldPath(shieldId: string, section = ""): string {
  return `/dashboard/gameshield/${shieldId}${section}`;
}
