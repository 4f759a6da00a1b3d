import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { screensOf } from "./catalogue.ts";
import { receiveVisits } from "../console/visits.ts";
import { looks } from "./people.ts";
import { setStage, storageOf } from "./stage.ts";

/**
 * Pictures of every screen, to be looked at: `node tests/system/src/screens/screenshots.ts`.
 * They go to a folder below the system's temporary one, which is printed.
 */

const widths = [1440, 390];
const folder = await mkdtemp(path.join(tmpdir(), "palisade-screens-"));
const stage = await setStage();
const visits = receiveVisits(stage.browser, stage.palisade.consoleUrl);
try {
  for (const look of looks) {
    for (const width of widths) {
      for (const screen of screensOf(stage.shieldId)) {
        const storage = storageOf(stage, screen.as);
        const page = await visits.open(screen.path, { ...look, width, storage });
        const name = `${screen.name.replace(/\W+/g, "-")}-${width}-${look.theme}-${look.locale}.png`;
        await page.screenshot({ path: path.join(folder, name), fullPage: true });
        await visits.end();
      }
    }
  }
  console.log(`Screens are in ${folder}`);
} finally {
  await stage.end();
}
