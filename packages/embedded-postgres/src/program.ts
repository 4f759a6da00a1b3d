import { spawn, type ChildProcess } from "node:child_process";
import { access, constants } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Identity } from "./identity.ts";

export interface ProgramOptions {
  readonly identity: Identity | undefined;
  readonly log: (line: string) => void;
  /** Has the kernel interrupt the program when this process ends, however it ends. */
  readonly endsWithUs?: boolean;
}

/** Starts a PostgreSQL program as the right user, in its own session. */
export async function startProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ChildProcess> {
  const setpriv = options.endsWithUs === true ? await findOnPath("setpriv") : undefined;
  const [command = file, ...commandArgs] = [
    ...(setpriv === undefined ? [] : [setpriv, ...setprivArgs(options.identity), "--"]),
    ...setClock(),
    file,
    ...args,
  ];
  const child = spawn(command, commandArgs, {
    // Ctrl-C in the terminal reaches our whole process group; PostgreSQL must stop last.
    detached: true,
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    // setpriv changes the user itself, because a change of user clears the parent-death signal.
    ...(setpriv === undefined ? options.identity : undefined),
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", options.log);
  }
  return child;
}

/**
 * If faketime sets this process's clock (`npm run soak -- clocks`), PostgreSQL gets the same.
 * Only from here on: faketime's shared memory belongs to the user who opens it first.
 */
function setClock(): string[] {
  const { FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC = "0", LD_PRELOAD = "" } = process.env;
  if (FAKETIME === undefined) return [];
  return [
    "/usr/bin/env",
    `FAKETIME=${FAKETIME}`,
    `FAKETIME_DONT_FAKE_MONOTONIC=${FAKETIME_DONT_FAKE_MONOTONIC}`,
    `LD_PRELOAD=${LD_PRELOAD}`,
  ];
}

function setprivArgs(identity: Identity | undefined): string[] {
  const user =
    identity === undefined
      ? []
      : [`--reuid=${identity.uid}`, `--regid=${identity.gid}`, "--clear-groups"];
  return [...user, "--pdeathsig=INT"];
}

/** Resolves with the exit code, or the signal's name, once the program has ended. */
export function programEnd(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}

async function findOnPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    const file = path.join(folder, name);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== "" && found) return file;
  }
  return undefined;
}
