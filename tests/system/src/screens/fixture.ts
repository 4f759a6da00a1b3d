import type { Browser } from "playwright-core";
import { routes } from "@palisade/contract/http/routes";
import { launchBrowser } from "../console/browser.ts";
import { createShield } from "../product/account.ts";
import { removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import type { Screen } from "./catalogue.ts";
import { createAccount, type TestAccount } from "./accounts.ts";

/** The product with an owner who has a shield, a newcomer who has none, and a browser. */
export interface ScreensFixture {
  readonly palisade: Palisade;
  readonly browser: Browser;
  readonly owner: TestAccount;
  readonly newcomer: TestAccount;
  readonly shieldId: string;
  end(): Promise<void>;
}

export async function startScreensFixture(): Promise<ScreensFixture> {
  const home = await createPreparedHome();
  const [palisade, browser] = await Promise.all([startPalisade(home), launchBrowser()]);
  const end = async () => {
    await browser.close();
    await palisade.stop();
    await removeHome(home);
  };
  try {
    const owner = await createAccount(palisade.consoleUrl, "owner@example.com");
    const newcomer = await createAccount(palisade.consoleUrl, "newcomer@example.com");
    const backend = { host: "127.0.0.1", port: 25_565 };
    const { id } = await createShield(owner.call, backend, "play.example.com");
    for (const ip of ["203.0.113.5", "198.51.100.0/24", "2001:db8:85a3::8a2e:370:7334"]) {
      await owner.call(routes.firewall.addFirewallEntry, {
        params: { id },
        body: { type: "blacklist", ip },
      });
    }
    await owner.call(routes.serverMessages.updateServerMessages, {
      params: { id },
      body: { offline: { motd_line1: "&b&lSkyline", motd_line2: "&7Back at &e18:00" } },
    });
    return { palisade, browser, owner, newcomer, shieldId: id, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The browser's storage when it is signed in as this account. */
export function storageOf(fixture: ScreensFixture, as: Screen["as"]): Record<string, string> {
  if (as === "stranger") {
    return {
      register_data: JSON.stringify({ email: "new@example.com" }),
      reset_email: "new@example.com",
    };
  }
  return { access_token: fixture[as].token };
}
