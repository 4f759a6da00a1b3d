import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** `npm run soak -- relay [streams]`: checksummed streams through relay processes whose edge is replaced. */

const streams = Number(process.argv[2] ?? 15_000);
if (!(Number.isInteger(streams) && streams > 0)) {
  console.error("usage: npm run soak -- relay [streams]");
  process.exit(2);
}
const program = new URL(
  "../../../../apps/edge/src/testing/socket-transfer-program.ts",
  import.meta.url,
);
const child = spawn(process.execPath, [fileURLToPath(program), String(streams)], {
  stdio: "inherit",
});
await once(child, "exit");
process.exit(child.exitCode ?? 1);
