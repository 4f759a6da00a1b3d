import { routes } from "@palisade/contract/http/routes";
import { shareProduct, type Product } from "../console/product.ts";
import { createShield } from "../product/account.ts";
import type { Screen } from "./catalogue.ts";
import { createAccount, type TestAccount } from "./accounts.ts";

/** The shared product with an owner who has a shield, and a newcomer who has none. */
export interface ScreensFixture extends Omit<Product, "database"> {
  readonly owner: TestAccount;
  readonly newcomer: TestAccount;
  readonly shieldId: string;
}

let serial = 0;

export async function startScreensFixture(): Promise<ScreensFixture> {
  const { palisade, browser, pages, end } = await shareProduct();
  serial += 1;
  const owner = await createAccount(palisade.consoleUrl, `owner${serial}@example.com`);
  const newcomer = await createAccount(palisade.consoleUrl, `newcomer${serial}@example.com`);
  const backend = { host: "127.0.0.1", port: 25_565 };
  const { id } = await createShield(owner.call, backend, `screens${serial}.example.com`);
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
  return { palisade, browser, pages, owner, newcomer, shieldId: id, end };
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
