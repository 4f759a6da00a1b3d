// npm run vpn:update: downloads the lists of addresses that anti-VPN refuses (docs/operations/anti-vpn.md).
import path from "node:path";
import { ensureDependencies } from "./lib/install.mjs";
import { checkPlatform, node24 } from "./lib/node.mjs";
import { runScript, sayOnStandardError } from "./lib/progress.mjs";
import { compileCache, root } from "./lib/root.mjs";
import { runInFront } from "./lib/run-command.mjs";

await runScript(async () => {
  sayOnStandardError();
  checkPlatform();
  await ensureDependencies({ dev: false });
  const main = path.join(root, "apps/edge/src/address-files/update-main.ts");
  return runInFront(await node24(), [main, ...process.argv.slice(2)], {
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
  });
});
