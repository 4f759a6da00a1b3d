import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { screensOf } from "./catalogue.ts";
import { createConsolePages } from "../console/pages.ts";
import { appearances } from "./accounts.ts";
import { startScreensFixture, storageOf } from "./fixture.ts";

/**
 * Pictures of every screen, to be looked at: `node tests/system/src/screens/screenshots.ts`.
 * They go to a folder below the system's temporary one, which is printed.
 */

const widths = [1440, 390];
const folder = await mkdtemp(path.join(tmpdir(), "palisade-screens-"));
const fixture = await startScreensFixture();
const pages = createConsolePages(fixture.browser, fixture.palisade.consoleUrl);
try {
  for (const look of appearances) {
    for (const width of widths) {
      for (const screen of screensOf(fixture.shieldId)) {
        const storage = storageOf(fixture, screen.as);
        const page = await pages.open(screen.path, { ...look, width, storage });
        const name = `${screen.name.replace(/\W+/g, "-")}-${width}-${look.theme}-${look.locale}.png`;
        await page.screenshot({ path: path.join(folder, name), fullPage: true });
        await pages.end();
      }
    }
  }
  console.log(`Screens are in ${folder}`);
} finally {
  await fixture.end();
}
