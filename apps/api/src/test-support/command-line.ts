import { execFile } from "node:child_process";
import path from "node:path";
import { format } from "node:util";
import { programEnvironment } from "@palisade/testing/program-environment";
import { vi } from "vitest";
import { runCommand } from "#src/cli/run-command.ts";
import type { TestApp } from "./test-app.ts";

export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const commandLine = path.resolve(import.meta.dirname, "../cli.ts");

/** The environment of a command. */
export function commandEnvironment({ runtimeUrl }: TestApp): Environment {
  return {
    ...programEnvironment,
    PALISADE_SECRET: "a secret for tests, long enough to be one",
    DATABASE_URL: runtimeUrl,
  };
}

/** The command before: the environment and the console are the process's own. */
let before: Promise<unknown> = Promise.resolve();

/**
 * `npm run palisade -- <args>` on the test's database, in this process: its start would take longer
 * than most commands. Commands run one after the other.
 */
export function runCommandLine(
  testApp: TestApp,
  args: readonly string[],
  environment: Environment = {},
): Promise<CommandOutcome> {
  const outcome = before.then(() =>
    runHere(args, { ...commandEnvironment(testApp), ...environment }),
  );
  before = outcome.catch(() => undefined);
  return outcome;
}

async function runHere(args: readonly string[], environment: Environment): Promise<CommandOutcome> {
  const said = { log: "", error: "" };
  const spies = (["log", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      said[level] += `${format(...words)}\n`;
    }),
  );
  const own = process.env;
  process.env = { ...environment };
  try {
    const code = await runCommand(args);
    return { code, stdout: said.log, stderr: said.error };
  } finally {
    process.env = own;
    for (const spy of spies) spy.mockRestore();
  }
}

/** The same as a process of its own: for commands at the same time, and for the program itself. */
export function runCommandProcess(
  testApp: TestApp,
  args: readonly string[],
  environment: Environment = {},
): Promise<CommandOutcome> {
  const env = { ...commandEnvironment(testApp), ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [commandLine, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
