import { until } from "@palisade/testing/until";
import { routes } from "@palisade/contract/http/routes";
import { z } from "zod";
import type { ConsolePages } from "../console/pages.ts";
import { startProduct, type Product } from "../console/product.ts";
import { totpCode } from "../profile/totp.ts";
import type { TestAccount } from "../screens/accounts.ts";

/** The product with a browser, for strangers and for accounts that have just signed in. */
export interface AuthFixture extends Pick<Product, "palisade" | "end"> {
  /** Opens a path in a browser of its own and waits until it is there. */
  readonly open: ConsolePages["open"];
  closePages(): Promise<void>;
}

export async function startAuthFixture(): Promise<AuthFixture> {
  // Its clock is moved.
  const { palisade, pages, end } = await startProduct({});
  return { palisade, open: pages.open, closePages: pages.end, end };
}

const mailbox = z.array(z.object({ to: z.string(), text: z.string() }));

/** Every code mailed to the address so far, newest first, once there are this many. */
export function mailedCodes(consoleUrl: string, email: string, count: number): Promise<string[]> {
  return until(
    async () => {
      const mails = mailbox.parse(await (await fetch(`${consoleUrl}/dev/mail.json`)).json());
      const codes = mails
        .filter(({ to }) => to.includes(email))
        .flatMap(({ text }) => /^[0-9A-Z]{8}$/m.exec(text)?.[0] ?? []);
      return codes.length >= count && codes;
    },
    { what: `${count} codes for ${email} in the mailbox` },
  );
}

export interface SecondFactor {
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** Two-factor switched on by the API; the code of this period is used up. */
export async function turnOnTwoFactor({ call }: TestAccount): Promise<SecondFactor> {
  const { secret } = (await call(routes.twoFactor.setUpTwoFactor, {})).data;
  const { data } = await call(routes.twoFactor.enableTwoFactor, {
    body: { code: totpCode(secret) },
  });
  return { secret, backupCodes: data.backup_codes };
}
