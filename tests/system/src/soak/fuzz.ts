import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * `npm run soak -- fuzz [--inputs 24000000 | --limbo 100000] [--seed n]`: sends mutated packets to all
 * decoders and mutated byte streams, split at every position, to connections, in one process without
 * sockets. With `--limbo` it sends so many to each step of the limbo and to whole checks, and nothing
 * else. A failure prints the options that repeat it.
 */

/** The program prints a line every few seconds, however slow the machine is. */
const silenceMs = 120_000;

const program = new URL("../../../../apps/edge/src/testing/fuzz/fuzz-program.ts", import.meta.url);
const child = spawn(
  process.execPath,
  ["--expose-gc", fileURLToPath(program), ...process.argv.slice(2)],
  { stdio: ["ignore", "pipe", "inherit"] },
);
// The child must not outlive this process.
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
