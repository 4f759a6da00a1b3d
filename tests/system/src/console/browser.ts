import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext } from "playwright-core";

/** `npm test` finds or installs one and names it here. */
const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium-headless-shell";

/** For whatever a page is expected to show. Generous: only a fault reaches it. */
export const waitCapMs = 60_000;

export function launchBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(`There is no browser at ${executablePath}: run npm test, or set CHROMIUM_PATH`);
  }
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // Pages of one visitor share what is loaded and compiled.
      "--process-per-site",
      // A page is drawn and compiled anew for each test: what helps a page that stays costs time here.
      "--num-raster-threads=1",
      // It is gone before compiling its functions for speed, or collecting on threads, has paid off.
      "--js-flags=--no-flush-bytecode --no-opt --no-maglev --single-threaded-gc",
    ],
  });
}

/** A visitor with an English browser, on a desktop. */
export async function newDesktopContext(
  browser: Browser,
  consoleUrl: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: consoleUrl,
    locale: "en-GB",
    viewport: { width: 1440, height: 900 },
  });
  context.setDefaultTimeout(waitCapMs);
  return context;
}
