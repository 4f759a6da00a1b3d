import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const programs = {
  bots: new URL("../../../../apps/edge/src/testing/bots/bots-program.ts", import.meta.url),
  honest: new URL("../../../../apps/edge/src/testing/bots/honest-program.ts", import.meta.url),
} as const;

/**
 * Runs one of the edge's test programs with this order.
 *
 * @param told each line of JSON that it tells
 * @throws if it fails
 */
export async function runProgram(
  name: keyof typeof programs,
  order: object,
  told: (values: unknown) => void,
): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(programs[name]), JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  createInterface({ input: child.stdout }).on("line", (line) => told(JSON.parse(line)));
  await once(child, "close");
  process.off("exit", kill);
  if (child.exitCode !== 0) throw new Error(`the program ${name} has ended with ${child.exitCode}`);
}
