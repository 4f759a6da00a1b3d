import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { Client as Database } from "pg";
import type { Page } from "playwright-core";
import { launchBrowser } from "../console/browser.ts";
import { receiveVisits, type OpenOptions } from "../console/visits.ts";
import {
  databaseOf,
  removeHome,
  runCommand,
  startPalisade,
  type Palisade,
} from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import type { Person } from "../screens/people.ts";

/** The product, a browser, and its database by the owner's connection, for states time brings. */
export interface OverviewStage {
  readonly palisade: Palisade;
  readonly database: Database;
  /** Opens a page as this person and waits until it is there. */
  open(person: Person, path: string, options?: OpenOptions): Promise<Page>;
  /** Closes every page; polls that are on their way end with them. */
  closePages(): Promise<void>;
  credit(person: Person, euros: string): Promise<void>;
  setStatus(shieldId: string, status: "active" | "expired" | "blocked" | "deleted"): Promise<void>;
  end(): Promise<void>;
}

export async function setOverviewStage(
  settings: Record<string, string> = {},
): Promise<OverviewStage> {
  const home = await createPreparedHome();
  const [palisade, browser] = await Promise.all([startPalisade(home, settings), launchBrowser()]);
  const database = new Database({ connectionString: (await databaseOf(home)).ownerUrl });
  await database.connect();
  const visits = receiveVisits(browser, palisade.consoleUrl);
  return {
    palisade,
    database,
    open: (person, path, options) => visits.open(path, { token: person.token, ...options }),
    closePages: visits.end,
    async credit(person, euros) {
      await runCommand(home, ["ledger", "credit", person.email, euros, "--reason", "Test"]);
    },
    async setStatus(shieldId, status) {
      const deletedAt = status === "deleted" ? new Date() : null;
      await database.query("update shields set status = $2, deleted_at = $3 where id = $1", [
        shieldId,
        status,
        deletedAt,
      ]);
    },
    async end() {
      await browser.close();
      await database.end();
      await palisade.stop();
      await removeHome(home);
    },
  };
}

export interface ShieldWish {
  readonly plan: string;
  readonly name: string;
  readonly domain: string;
  /** Of a server on this machine; nothing has to be there. */
  readonly port?: number;
}

/** Buys a shield by the API; @returns its id */
export async function buyShield(person: Person, wish: ShieldWish): Promise<string> {
  const { plans } = (await person.call(routes.plans.listPricingPlans, {})).data;
  const plan = plans.find(({ name }) => name === wish.plan);
  if (plan === undefined) throw new Error(`There is no plan ${wish.plan}`);
  // The edge may still be saying hello.
  await until(
    async () =>
      (await person.call(routes.plans.listLocations, { query: {} })).data.locations.some(
        ({ name, is_available: isAvailable }) => name === "local" && isAvailable,
      ),
    { what: "the location of this machine" },
  );
  const { cname_record } = (await person.call(routes.servers.generateCname, {})).data;
  const { data } = await person.call(routes.servers.createServer, {
    body: {
      pricing_plan_id: plan.id,
      server_name: wish.name,
      real_ip: "127.0.0.1",
      real_port: wish.port ?? 25_565,
      location: "local",
      domain: wish.domain,
      cname_record,
    },
  });
  return data.server.id;
}

export function shieldPath(shieldId: string, section = ""): string {
  return `/dashboard/gameshield/${shieldId}${section}`;
}
