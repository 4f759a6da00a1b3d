import { existsSync } from "node:fs";
import path from "node:path";
import { aptInstall } from "./lib/apt.mjs";
import { ensureConsoleBuilt } from "./lib/console-build.mjs";
import { ensureDependencies } from "./lib/install.mjs";
import { checkPlatform, node24 } from "./lib/node.mjs";
import { runScript, say, Stop } from "./lib/progress.mjs";
import { root } from "./lib/root.mjs";
import { runInFront } from "./lib/run-command.mjs";

/** Tools that some benchmarks need; without them those are left out, and the table says so. */
const TOOLS = [
  { program: "/usr/bin/gcc", packages: ["gcc", "libc6-dev"] },
  { program: "/usr/sbin/haproxy", packages: ["haproxy"] },
  { program: "/usr/bin/taskset", packages: ["util-linux"] },
];

/** `npm run bench [-- names]`: measures what the product costs, beside the least it could cost. */
await runScript(async () => {
  checkPlatform();
  await ensureDependencies({ dev: true });
  const names = process.argv.slice(2).filter((argument) => /^[a-z]/.test(argument));
  if (names.length === 0 || names.includes("landing")) {
    await ensureDependencies({ dev: true, folder: path.join(root, "bench/lighthouse") });
  }
  for (const tool of TOOLS) await ensureTool(tool);
  const node = await node24();
  await ensureConsoleBuilt(node);
  return runInFront(node, [path.join(root, "bench/src/main.ts"), ...process.argv.slice(2)], {
    cwd: root,
  });
});

async function ensureTool({ program, packages }) {
  if (existsSync(program)) return;
  try {
    for (const name of packages) {
      await aptInstall(name, { alternative: "Without it some benchmarks are left out." });
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    say(error.message);
  }
}
