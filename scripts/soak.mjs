import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { ensureConsoleBuilt } from "./lib/console-build.mjs";
import { ensureFaketime } from "./lib/faketime.mjs";
import { ensureDependencies } from "./lib/install.mjs";
import { checkPlatform, node24 } from "./lib/node.mjs";
import { runScript, Stop } from "./lib/progress.mjs";
import { root } from "./lib/root.mjs";
import { runInFront } from "./lib/run-command.mjs";
import { setUpTests } from "./lib/test-setup.mjs";

const folder = path.join(root, "tests/system/src/soak");

/** `npm run soak -- <name> [arguments]`: runs one of the long tests. */
await runScript(async () => {
  const [name, ...args] = process.argv.slice(2);
  const names = soakNames();
  if (name === undefined || !names.includes(name)) {
    throw new Stop(`usage: npm run soak -- <name>\nnames: ${names.join(", ") || "none yet"}`);
  }
  checkPlatform();
  await ensureDependencies({ dev: true });
  const node = await node24();
  const program = [path.join(folder, `${name}.ts`), ...args];
  if (name === "clocks") {
    // The api's tests need neither the console nor real Minecraft clients; all of them need more.
    const setup = args.includes("--whole") ? await setUpTests() : { environment: {} };
    const env = { ...process.env, ...setup.environment };
    return runInFront(node, [...program, "--library", await ensureFaketime()], { cwd: root, env });
  }
  if (name === "whole") {
    const { environment } = await setUpTests();
    return runInFront(node, program, { cwd: root, env: { ...process.env, ...environment } });
  }
  // Their players and backends are of our own; all others need real clients or the console.
  if (name === "raknet" || name === "honest") return runInFront(node, program, { cwd: root });
  await ensureDependencies({ dev: true, folder: path.join(root, "tests/peers") });
  if (name !== "bots") await ensureConsoleBuilt(node);
  return runInFront(node, program, { cwd: root });
});

function soakNames() {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => path.basename(file, ".ts"))
    .sort();
}
