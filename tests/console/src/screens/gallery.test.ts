import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "@palisade/system-tests/console/browser";
import { createConsolePages } from "@palisade/system-tests/console/pages";
import { checkout } from "@palisade/system-tests/product/checkout";
import { collectOutput } from "@palisade/system-tests/product/child-output";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import {
  expectSoundEverywhere,
  settled,
  watchForErrors,
} from "@palisade/system-tests/screens/inspect";

/** Every primitive of the console, as the development server shows them. */

const folder = path.join(checkout, "apps/console");
let server: ChildProcess;
let browser: Browser;
let url: string;

beforeAll(async () => {
  const vite = path.join(checkout, "node_modules/vite/bin/vite.js");
  const settings = ["--host", "127.0.0.1", "--port", "0", "--clearScreen", "false"];
  server = spawn(process.execPath, [vite, ...settings], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  const output = collectOutput(server, "vite");
  [browser, [, url = ""]] = await Promise.all([
    launchBrowser(),
    output.match(/Local:\s+(http:\S+\d)/, 60_000),
  ]);
});

afterAll(async () => {
  await browser?.close();
  if (server === undefined || server.exitCode !== null) return;
  server.kill("SIGTERM");
  await once(server, "close");
});

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("the gallery is sound at every width", async () => {
    const pages = createConsolePages(browser, url);
    const page = await pages.page(look);
    const errors = watchForErrors(page);
    await page.goto("/gallery");
    await settled(page);
    for (const type of ["success", "info", "error"]) {
      await page.getByRole("button", { name: `Toast: ${type}` }).click();
    }
    await expectSoundEverywhere(page, "gallery");
    expect(errors).toEqual([]);
    await pages.end();
  });
});
