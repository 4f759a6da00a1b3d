import { until } from "@palisade/testing/until";
import { routes } from "@palisade/contract/http/routes";
import type { BrowserContext, Page } from "playwright-core";
import { z } from "zod";
import { launchBrowser } from "../console/browser.ts";
import { removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { totpCode } from "../profile/totp.ts";
import { settled } from "../screens/inspect.ts";
import { visitor, type Look, type Person } from "../screens/people.ts";

/** The product with a browser, for whoever is not signed in yet, and for what follows at once. */
export interface AuthStage {
  readonly palisade: Palisade;
  /** Opens a path in a browser of its own and waits until it is there. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  closePages(): Promise<void>;
  end(): Promise<void>;
}

export interface OpenOptions extends Partial<Look> {
  readonly width?: number;
  readonly storage?: Readonly<Record<string, string>>;
  /** Before the page loads: bent answers, a clock of its own. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** What is opened is not expected to settle. */
  readonly unsettled?: boolean;
}

export async function setAuthStage(): Promise<AuthStage> {
  const home = await createPreparedHome();
  const [palisade, browser] = await Promise.all([startPalisade(home), launchBrowser()]);
  const contexts: BrowserContext[] = [];

  async function closePages(): Promise<void> {
    for (const context of contexts.splice(0)) {
      for (const page of context.pages()) await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    }
  }

  return {
    palisade,
    closePages,
    async open(path, options = {}) {
      const { theme = "dark", locale = "en", width = 1440, storage = {} } = options;
      const { consoleUrl } = palisade;
      const context = await visitor(browser, { theme, locale, width, storage, consoleUrl });
      contexts.push(context);
      const page = await context.newPage();
      await options.prepare?.(page);
      await page.goto(path);
      if (!options.unsettled) await settled(page);
      return page;
    },
    async end() {
      await closePages();
      await browser.close();
      await palisade.stop();
      await removeHome(home);
    },
  };
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
export async function switchTwoFactorOn({ call }: Person): Promise<SecondFactor> {
  const { secret } = (await call(routes.twoFactor.setUpTwoFactor, {})).data;
  const { data } = await call(routes.twoFactor.enableTwoFactor, {
    body: { code: totpCode(secret) },
  });
  return { secret, backupCodes: data.backup_codes };
}
