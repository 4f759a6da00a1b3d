import path from "node:path";
import { ensureBind } from "./lib/bind.mjs";
import { ensureChromium } from "./lib/chromium.mjs";
import { ensureDig } from "./lib/dig.mjs";
import { ensureConsoleBuilt } from "./lib/console-build.mjs";
import { ensureDependencies } from "./lib/install.mjs";
import { ensureNftables } from "./lib/nftables.mjs";
import { checkPlatform, node24 } from "./lib/node.mjs";
import { runScript, say } from "./lib/progress.mjs";
import { root } from "./lib/root.mjs";
import { ensureUnbound } from "./lib/unbound.mjs";
import { runVitest } from "./lib/vitest.mjs";

/** `npm test [-- <vitest arguments>]`: installs what tests need, then runs all of them. */
await runScript(async () => {
  checkPlatform();
  await ensureDependencies({ dev: true });
  await ensureDependencies({ dev: true, folder: path.join(root, "tests/peers") });
  const chromium = await ensureChromium();
  await ensureDig();
  await ensureUnbound();
  await ensureBind();
  await ensureNftables();
  const node = await node24();
  await ensureConsoleBuilt(node);
  say("running the tests");
  return runVitest(node, process.argv.slice(2), { CHROMIUM_PATH: chromium });
});
