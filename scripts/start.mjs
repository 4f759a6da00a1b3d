import path from "node:path";
import { ensureConsoleBuilt } from "./lib/console-build.mjs";
import { ensureDependencies } from "./lib/install.mjs";
import { checkPlatform, node24 } from "./lib/node.mjs";
import { followParent } from "./lib/parent.mjs";
import { runScript } from "./lib/progress.mjs";
import { compileCache, root } from "./lib/root.mjs";
import { runInFront } from "./lib/run-command.mjs";

/** `npm start`: installs and builds what is missing, then runs the supervisor. Runs on Node 18. */
await runScript(async () => {
  checkPlatform();
  await ensureDependencies({ dev: false });
  const node = await node24();
  await ensureConsoleBuilt(node);
  return runInFront(node, [path.join(root, "apps/supervisor/src/main.ts")], {
    // The channel closes when this script ends, however it ends; then the supervisor stops.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
    onStart: followParent,
  });
});
