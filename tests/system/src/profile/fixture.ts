import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { z } from "zod";
import { clipboardPermissions, type PageOptions } from "../console/pages.ts";
import type { Palisade } from "../product/palisade.ts";
import { shareProduct, startProduct } from "../console/product.ts";
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

let customers = 0;

/** @param settings without any, the product is the one that all files share */
export async function startProfileFixture(
  settings?: Record<string, string>,
): Promise<ProfileFixture> {
  const product = await (settings === undefined ? shareProduct() : startProduct(settings));
  const { palisade, database, pages, end } = product;
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
      await database.query(
        `update sessions set authenticated_at = authenticated_at - interval '11 minutes'
          where user_id = (select id from users where email = $1)`,
        [email],
      );
    },
    closePages: pages.end,
    end,
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
