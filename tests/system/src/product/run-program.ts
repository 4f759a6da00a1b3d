import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a TypeScript program to its end; a signal to this process ends it too. @returns its exit code */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  const exited = once(child, "exit");
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => child.kill(name));
  await exited;
  return child.exitCode ?? 1;
}
