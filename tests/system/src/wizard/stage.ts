import { routes } from "@palisade/contract/http/routes";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
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
import { newPerson, type Person } from "../screens/people.ts";

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

export async function setWizardStage(): Promise<WizardStage> {
  const [home, zone] = await Promise.all([createPreparedHome(), startFakeZone()]);
  const [palisade, browser] = await Promise.all([
    startPalisade(home, { PALISADE_DNS_RESOLVERS: zone.address }),
    launchBrowser(),
  ]);
  const database = new Database({ connectionString: (await databaseOf(home)).ownerUrl });
  await database.connect();
  const visits = receiveVisits(browser, palisade.consoleUrl);
  let buyers = 0;

  async function credit(person: Person, euros: number): Promise<void> {
    await runCommand(home, ["ledger", "credit", person.email, String(euros), "--reason", "Test"]);
  }

  return {
    palisade,
    zone,
    database,
    credit,
    closePages: visits.end,
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
    open: (person, path, options) => visits.open(path, { token: person.token, ...options }),
    async end() {
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
