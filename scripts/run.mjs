import path from "node:path";
import { ensureConsoleBuilt } from "./lib/console-build.mjs";
import { ensureDependencies } from "./lib/install.mjs";
import { checkPlatform, node24 } from "./lib/node.mjs";
import { followParent } from "./lib/parent.mjs";
import { runScript, sayOnStandardError, Stop } from "./lib/progress.mjs";
import { compileCache, root } from "./lib/root.mjs";
import { runInFront } from "./lib/run-command.mjs";

const PROGRAMS = ["api", "edge", "dns", "cli"];

/** `npm run api | edge | dns` and `npm run palisade -- <command>`: runs one program alone. */
await runScript(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined || !PROGRAMS.includes(name)) {
    throw new Stop(`usage: node scripts/run.mjs <${PROGRAMS.join(" | ")}> [arguments]`);
  }
  sayOnStandardError();
  checkPlatform();
  await ensureDependencies({ dev: false });
  const node = await node24();
  if (name === "api") await ensureConsoleBuilt(node);
  const main = path.join(root, "apps/supervisor/src/run-program.ts");
  return runInFront(node, [main, name, ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
    onStart: followParent,
  });
});
