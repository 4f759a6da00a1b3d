import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { LogFile } from "./log-file.ts";
import { mainFiles } from "./programs.ts";
import { StartError } from "./progress.ts";

/** Runs a command of the api's command line to its end. @returns its output */
export type ApiCommand = (args: readonly string[]) => Promise<string>;

/** The commands throw a StartError with the last lines of the log when they fail. */
export function createApiCommand(
  environment: NodeJS.ProcessEnv,
  log: LogFile,
  signal: AbortSignal,
): ApiCommand {
  return async (args) => {
    const child = spawn(process.execPath, [mainFiles.cli, ...args], {
      detached: true,
      stdio: ["ignore", "pipe", log.descriptor],
      env: environment,
      signal,
    });
    // An abort comes as an error too; below it is the signal that ended the child.
    child.on("error", () => undefined);
    const printed = child.stdout === null ? "" : text(child.stdout);
    const [output] = await Promise.all([printed, once(child, "exit")]);
    if (child.exitCode !== 0) {
      log.write(output.trim());
      throw new StartError(
        `The command '${args.join(" ")}' failed. The end of ${log.path}:\n${log.tail(15)}`,
      );
    }
    return output;
  };
}
