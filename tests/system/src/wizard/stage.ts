import { routes } from "@palisade/contract/http/routes";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { until } from "@palisade/testing/until";
import { Client as Database } from "pg";
import type { BrowserContext, Page } from "playwright-core";
import { launchBrowser } from "../console/browser.ts";
import {
  databaseOf,
  removeHome,
  runCommand,
  startPalisade,
  type Palisade,
} from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { settled } from "../screens/inspect.ts";
import { newPerson, visitor, type Look, type Person } from "../screens/people.ts";

/** The product with a browser, DNS of the owners' own domains, and buyers as many as are needed. */
export interface WizardStage {
  readonly palisade: Palisade;
  readonly zone: FakeZone;
  readonly database: Database;
  /** A new account with this many euros. */
  buyer(euros?: number): Promise<Person>;
  credit(person: Person, euros: number): Promise<void>;
  /** Opens a path as this person and waits until it is there. */
  open(person: Person, path: string, options?: OpenOptions): Promise<Page>;
  closePages(): Promise<void>;
  end(): Promise<void>;
}

export interface OpenOptions extends Partial<Look> {
  readonly width?: number;
  /** Before the page loads: bent answers, a clock of its own. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export async function setWizardStage(): Promise<WizardStage> {
  const [home, zone] = await Promise.all([createPreparedHome(), startFakeZone()]);
  const [palisade, browser] = await Promise.all([
    startPalisade(home, { PALISADE_DNS_RESOLVERS: zone.address }),
    launchBrowser(),
  ]);
  const database = new Database({ connectionString: (await databaseOf(home)).ownerUrl });
  await database.connect();
  const contexts: BrowserContext[] = [];
  let buyers = 0;

  async function credit(person: Person, euros: number): Promise<void> {
    await runCommand(home, ["ledger", "credit", person.email, String(euros), "--reason", "Test"]);
  }

  async function closePages(): Promise<void> {
    for (const context of contexts.splice(0)) {
      for (const page of context.pages()) await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    }
  }

  return {
    palisade,
    zone,
    database,
    credit,
    closePages,
    async buyer(euros = 0) {
      buyers += 1;
      const person = await newPerson(palisade.consoleUrl, `buyer${buyers}@example.com`);
      // Its edge may still be saying hello.
      await until(
        async () =>
          (await person.call(routes.plans.listLocations, { query: {} })).data.locations.some(
            ({ name, is_available: isOpen }) => name === "local" && isOpen,
          ),
        { what: "the location of this machine" },
      );
      if (euros > 0) await credit(person, euros);
      return person;
    },
    async open(person, path, { theme = "dark", locale = "en", width = 1440, prepare } = {}) {
      const context = await visitor(browser, {
        theme,
        locale,
        width,
        consoleUrl: palisade.consoleUrl,
        storage: { access_token: person.token },
      });
      contexts.push(context);
      const page = await context.newPage();
      await prepare?.(page);
      await page.goto(path);
      await settled(page);
      return page;
    },
    async end() {
      await closePages();
      await browser.close();
      await database.end();
      await palisade.stop();
      await zone.close();
      await removeHome(home);
    },
  };
}

/** How many shields the account has, and what is left of its money. */
export async function accountOf({ call }: Person): Promise<{ shields: number; cents: number }> {
  const { data: servers } = await call(routes.servers.listServers, { query: {} });
  const { user } = (await call(routes.auth.user, {})).data;
  return { shields: servers.total, cents: user.balance_cents };
}
