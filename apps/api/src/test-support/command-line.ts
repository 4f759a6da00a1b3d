import { execFile } from "node:child_process";
import path from "node:path";
import { fakedClock } from "@palisade/testing/faked-clock";
import type { TestApp } from "./test-app.ts";

export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const commandLine = path.resolve(import.meta.dirname, "../cli.ts");

/** The environment of a command. */
export function commandEnvironment({ runtimeUrl }: TestApp): Record<string, string | undefined> {
  return {
    PATH: process.env["PATH"],
    ...fakedClock,
    // The program is compiled once for all calls of all tests.
    NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, "../../../../.cache/node-compile"),
    PALISADE_SECRET: "a secret for tests, long enough to be one",
    DATABASE_URL: runtimeUrl,
  };
}

/** `npm run palisade -- <args>` on the test's database, as a process of its own. */
export function runCommandLine(
  testApp: TestApp,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandOutcome> {
  const env = { ...commandEnvironment(testApp), ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [commandLine, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
