import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * `npm run soak -- fuzz [--inputs 24000000] [--seed n]`: changed packets to all decoders, and
 * changed conversations in all pieces to sessions, in one process without sockets. What fails says
 * with which options it fails again.
 */

/** The program says something every few seconds, however slow the machine. */
const silenceMs = 120_000;

const program = new URL("../../../../apps/edge/src/testing/fuzz/fuzz-program.ts", import.meta.url);
const child = spawn(
  process.execPath,
  ["--expose-gc", fileURLToPath(program), ...process.argv.slice(2)],
  { stdio: ["ignore", "pipe", "inherit"] },
);
// Nothing is left behind by whoever ends this one.
process.once("exit", () => child.kill("SIGKILL"));
process.once("SIGTERM", () => process.exit(1));
const hang = setTimeout(() => {
  console.error(
    "BROKEN it hangs: run it again under a debugger, with the seed of the last edge above",
  );
  child.kill("SIGKILL");
}, silenceMs);
child.stdout.on("data", (chunk: Buffer) => {
  process.stdout.write(chunk);
  hang.refresh();
});
await once(child, "close");
clearTimeout(hang);
process.exit(child.exitCode ?? 1);
