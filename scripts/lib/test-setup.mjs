import path from "node:path";
import { ensureBind } from "./bind.mjs";
import { ensureChromium } from "./chromium.mjs";
import { ensureClamd } from "./clamd.mjs";
import { ensureConsoleBuilt } from "./console-build.mjs";
import { ensureDig } from "./dig.mjs";
import { ensureDependencies } from "./install.mjs";
import { ensureNftables } from "./nftables.mjs";
import { root } from "./root.mjs";
import { ensurePromtool } from "./promtool.mjs";
import { ensureUnbound } from "./unbound.mjs";
import { node24 } from "./node.mjs";

/**
 * Installs and builds whatever the tests use.
 *
 * @returns Node 24, and the environment that tells tests where things are
 */
export async function setUpTests() {
  await ensureDependencies({ dev: true });
  await ensureDependencies({ dev: true, folder: path.join(root, "tests/peers") });
  const chromium = await ensureChromium();
  await ensureDig();
  await ensureUnbound();
  await ensureBind();
  await ensureNftables();
  await ensureClamd();
  const promtool = await ensurePromtool();
  const node = await node24();
  await ensureConsoleBuilt(node);
  const environment = {
    CHROMIUM_PATH: chromium,
    ...(promtool !== undefined && { PROMTOOL_PATH: promtool }),
  };
  return { node, environment };
}
