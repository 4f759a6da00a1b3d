import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { checkout } from "../product/checkout.ts";

/**
 * `npm run soak -- whole [vitest arguments]`: the tests without samples: every screen, dialog and row
 * of the tables in every appearance and language, every client with every setting.
 */

const vitest = path.join(checkout, "node_modules/vitest/vitest.mjs");
const child = spawn(process.execPath, [vitest, "run", ...process.argv.slice(2)], {
  cwd: checkout,
  stdio: "inherit",
  env: { ...process.env, PALISADE_WHOLE: "yes" },
});
await once(child, "close");
process.exit(child.exitCode ?? 1);
