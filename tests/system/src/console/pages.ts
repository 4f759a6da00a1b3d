import type { Browser, BrowserContext, Page } from "playwright-core";
import { waitCapMs } from "./browser.ts";
import { settled } from "../screens/inspect.ts";
import type { Appearance } from "../screens/accounts.ts";

/**
 * Pages of the console, each of another visitor: with their own storage, cookies and permissions.
 * The browser keeps what it has loaded and compiled from one page to the next.
 */
export interface ConsolePages {
  /** A page of a visitor who has made their choices already; it has not gone anywhere yet. */
  readonly page: (options?: PageOptions) => Promise<Page>;
  /** That page, once this path is there. */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>;
  /** Closes every page; polls that are on their way end with them. */
  readonly end: () => Promise<void>;
}

export interface PageOptions extends Partial<Appearance> {
  readonly width?: number;
  readonly token?: string;
  readonly storage?: Readonly<Record<string, string>>;
  readonly permissions?: readonly string[];
  /**
   * In a browser that has loaded nothing before, and has no other page: pages of one process hear
   * that the network is back while it is not back for all of them.
   */
  readonly isFirst?: boolean;
}

export interface OpenOptions extends PageOptions {
  /** Runs before the page loads, e.g. to stub answers or to install a clock. */
  readonly prepare?: ((page: Page) => Promise<unknown>) | undefined;
  /** The page is not expected to settle. */
  readonly unsettled?: boolean | undefined;
}

export function createConsolePages(browser: Browser, consoleUrl: string): ConsolePages {
  const visiting: BrowserContext[] = [];
  const free: BrowserContext[] = [];
  /** One page each: while it is there, the pages after it come up in a process that is warm. */
  const kept = new Set<Page>();

  // Without motion, so that all is settled.
  async function newContext(): Promise<BrowserContext> {
    const context = await browser.newContext({ baseURL: consoleUrl, reducedMotion: "reduce" });
    context.setDefaultTimeout(waitCapMs);
    return context;
  }

  async function newWarmContext(): Promise<BrowserContext> {
    const context = await newContext();
    const page = await context.newPage();
    await page.goto("/healthz");
    kept.add(page);
    return context;
  }

  async function page({ isFirst = false, ...options }: PageOptions = {}): Promise<Page> {
    const context = isFirst ? await newContext() : (free.pop() ?? (await newWarmContext()));
    visiting.push(context);
    await context.clearCookies();
    await context.clearPermissions();
    await context.grantPermissions([...(options.permissions ?? [])]);
    const opened = await context.newPage();
    await opened.setViewportSize({ width: options.width ?? 1440, height: 900 });
    await store(opened, options);
    return opened;
  }

  return {
    page,
    async open(path, { prepare, unsettled = false, ...options } = {}) {
      const opened = await page(options);
      await prepare?.(opened);
      await opened.goto(path);
      if (!unsettled) await settled(opened);
      return opened;
    },
    async end() {
      for (const context of visiting.splice(0)) {
        const pages = context.pages().filter((each) => !kept.has(each));
        const isUnbent = await hasItsOwnClockAndNetwork(pages);
        for (const each of pages) {
          await each.unrouteAll({ behavior: "ignoreErrors" });
          if (isUnbent) await each.close();
        }
        if (isUnbent) free.push(context);
        else await context.close();
      }
    },
  };
}

export const clipboardPermissions: readonly string[] = ["clipboard-read", "clipboard-write"];

export const clipboardOf = (page: Page): Promise<string> =>
  page.evaluate("navigator.clipboard.readText()");

/** At the first load only: a page that signs out must stay signed out at its next. */
async function store(page: Page, options: PageOptions): Promise<void> {
  const { theme = "dark", locale = "en", token, storage } = options;
  const entries = {
    "persist: theme": JSON.stringify({ state: { mode: theme }, version: 0 }),
    "persist: locale": JSON.stringify({ state: { locale }, version: 0 }),
    ...(token === undefined ? {} : { access_token: token }),
    ...storage,
  };
  await page.addInitScript((stored) => {
    if (sessionStorage.getItem("prepared") !== null) return;
    sessionStorage.setItem("prepared", "yes");
    localStorage.clear();
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  }, entries);
}

/** A test that stops the clock or cuts the network does so for the whole context, and for good. */
async function hasItsOwnClockAndNetwork(pages: readonly Page[]): Promise<boolean> {
  const ownOnes = "setTimeout.toString().includes('[native code]') && navigator.onLine";
  const answers = await Promise.all(
    pages.map((page) => page.evaluate<boolean>(ownOnes).catch(() => false)),
  );
  return answers.length > 0 && answers.every(Boolean);
}
