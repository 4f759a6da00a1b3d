import { until } from "@palisade/testing/until";
import pg from "pg";
import type { Page } from "playwright-core";
import { z } from "zod";
import { launchBrowser } from "../console/browser.ts";
import { clipboardPermissions, createConsolePages, type PageOptions } from "../console/pages.ts";
import { databaseOf, removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";

/** The product and a browser, with customers of their own for each test. */
export interface ProfileFixture {
  readonly palisade: Palisade;
  customer(): Promise<TestAccount>;
  /** A page of that customer, with everything loaded; without one, of a stranger. */
  open(account: TestAccount | null, options?: OpenOptions): Promise<Page>;
  /** Makes the account's last login too old for routes that need recent authentication. */
  letTimePass(account: TestAccount): Promise<void>;
  closePages(): Promise<void>;
  end(): Promise<void>;
}

export interface OpenOptions extends PageOptions {
  readonly path?: string;
}

export async function startProfileFixture(
  settings: Record<string, string>,
): Promise<ProfileFixture> {
  const home = await createPreparedHome();
  const [palisade, browser] = await Promise.all([startPalisade(home, settings), launchBrowser()]);
  const pages = createConsolePages(browser, palisade.consoleUrl);
  let customers = 0;
  return {
    palisade,
    customer: () => createAccount(palisade.consoleUrl, `customer${(customers += 1)}@example.com`),
    open: (account, { path = "/dashboard/profile", ...options } = {}) =>
      pages.open(path, {
        ...(account === null ? {} : { token: account.token }),
        permissions: clipboardPermissions,
        ...options,
      }),
    async letTimePass({ email }) {
      const database = new pg.Client((await databaseOf(home)).ownerUrl);
      await database.connect();
      await database.query(
        `update sessions set authenticated_at = authenticated_at - interval '11 minutes'
          where user_id = (select id from users where email = $1)`,
        [email],
      );
      await database.end();
    },
    closePages: pages.end,
    async end() {
      await browser.close();
      await palisade.stop();
      await removeHome(home);
    },
  };
}

const mailbox = z.array(z.object({ to: z.string(), text: z.string() }));

/** The newest link of that kind which was mailed to the address. */
export function mailedLink(consoleUrl: string, email: string, link: RegExp): Promise<string> {
  return until(
    async () => {
      const mails = mailbox.parse(await (await fetch(`${consoleUrl}/dev/mail.json`)).json());
      const own = mails.filter(({ to }) => to === email);
      return own.map(({ text }) => link.exec(text)?.[0]).find(Boolean);
    },
    { what: `a link for ${email} in the mailbox` },
  );
}
