import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Client as Database } from "pg";
import type { Browser } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { createConsolePages, type ConsolePages } from "./pages.ts";
import {
  databaseOf,
  removeHome,
  startPalisade,
  supervisorFile,
  type Palisade,
} from "../product/palisade.ts";
import { createPreparedHome, createSharedHome } from "../product/prepared-home.ts";

/** The product with a browser, and its database by the owner's connection, for states time brings. */
export interface Product {
  readonly palisade: Palisade;
  readonly browser: Browser;
  readonly database: Database;
  readonly pages: ConsolePages;
  readonly end: () => Promise<void>;
}

/** A product of the file's own, for settings that other files do not want. */
export async function startProduct(settings: Record<string, string>): Promise<Product> {
  const home = await createPreparedHome();
  const product = await startIn(home, settings);
  return {
    ...product,
    async end() {
      await product.browser.close();
      await product.database.end();
      await product.palisade.stop();
      await removeHome(home);
    },
  };
}

let shared: Promise<Omit<Product, "end">> | undefined;

/**
 * The product that all files of a worker share, since its start takes as long as several tests. A
 * file makes accounts, domains and codes of its own names, and leaves programs and clock as they are.
 * It ends with the worker's process; the global setup removes its home.
 */
export async function shareProduct(): Promise<Product> {
  const product = await (shared ??= startShared());
  // Every file calls from the same address.
  await product.database.query("delete from rate_limits");
  return { ...product, end: product.pages.end };
}

async function startShared() {
  const home = await createSharedHome();
  const product = await startIn(home, {});
  const { pid } = product.palisade.supervisor;
  await writeFile(path.join(home, supervisorFile), String(pid));
  return product;
}

async function startIn(home: string, settings: Record<string, string>) {
  const [palisade, browser] = await Promise.all([startPalisade(home, settings), launchBrowser()]);
  const database = new Database({ connectionString: (await databaseOf(home)).ownerUrl });
  await database.connect();
  // A product that ends with its worker cuts this connection first.
  database.on("error", () => undefined);
  return { palisade, browser, database, pages: createConsolePages(browser, palisade.consoleUrl) };
}
