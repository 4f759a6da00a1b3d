import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type Core, onCore } from "#src/machine/cores.ts";
import { realTime } from "#src/machine/real-time.ts";
import { setTimeout as delay } from "node:timers/promises";

/** A running program; it is stopped by its pid and never by name. */
export interface Program {
  readonly pid: number;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly core: Core;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Niceness, so that other programs on its core go first. */
  readonly nice?: number;
  /** Before all other programs on its core, where this user may ask for it. */
  readonly isRealTime?: boolean;
}

const stopMs = 5_000;
const running = new Set<ChildProcess>();

// Nothing that was started outlives the run, however it ends.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a program with pipes for input and output and a message channel. Standard error is shown. */
export function startProgram(
  command: string,
  args: readonly string[],
  { core, env, cwd, nice = 0, isRealTime = false }: ProgramOptions,
): Program {
  const wrapper = isRealTime ? realTime : nice > 0 ? ["nice", "-n", String(nice)] : [];
  const [given, ...rest] = [...wrapper, command];
  const [program, all] = onCore(core, given, [...rest, ...args]);
  const child = spawn(program, all, {
    stdio: ["pipe", "pipe", "inherit", "ipc"],
    env: { PATH: process.env["PATH"] ?? "", ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.stdout?.setEncoding("utf8");
  // The end of the program is handled elsewhere.
  child.stdin?.on("error", () => undefined);
  if (child.pid === undefined) throw new Error(`${command} cannot be started`);
  running.add(child);
  child.once("exit", () => running.delete(child));
  return { pid: child.pid, child, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const giveUp = new AbortController();
  await Promise.race([
    ended,
    delay(stopMs, undefined, { signal: giveUp.signal }).catch(() => undefined),
  ]);
  giveUp.abort();
  if (running.has(child)) child.kill("SIGKILL");
  await ended;
}

/** The next complete line of its output. @throws when it ends without one */
export async function nextLine(program: Program): Promise<string> {
  const { child } = program;
  if (child.stdout === null) throw new Error("the program has no output pipe");
  let text = "";
  while (!text.includes("\n")) {
    const chunk: unknown = child.stdout.read();
    if (typeof chunk === "string") {
      text += chunk;
      continue;
    }
    if (child.stdout.readableEnded) throw new Error(`the program ended; its output was: ${text}`);
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([
      once(child.stdout, "readable", { signal }),
      once(child.stdout, "end", { signal }),
    ]);
    waiting.abort();
  }
  return text.slice(0, text.indexOf("\n"));
}
