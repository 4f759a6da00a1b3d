import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { createBackoff } from "./backoff.ts";
import type { LogFile } from "./log-file.ts";
import { type Progress, StartError } from "./progress.ts";

/** Receives the output of the child: a log file, or the supervisor's own output. */
interface ChildLog extends Pick<LogFile, "path" | "tail" | "write"> {
  readonly descriptor: number | "inherit";
}

export interface ChildSpec<Ready> {
  readonly program: string;
  /** Arguments of Node: the program's main file. */
  readonly args: readonly string[];
  /** Called before every start; `last` is the ready message of the run before. */
  readonly environment: (last: Ready | undefined) => Promise<NodeJS.ProcessEnv> | NodeJS.ProcessEnv;
  /** Reads the program's ready message; undefined for any other message. */
  readonly parseReady: (message: unknown) => Ready | undefined;
  readonly log: ChildLog;
  readonly progress: Progress;
  /** Called when a process starts and when it has ended. */
  readonly onProcess?: (pid: number, isAlive: boolean) => void;
  readonly onReady?: (facts: Ready) => void;
  /**
   * Gives the program `--lifeline` and a descriptor 4 that closes when the supervisor ends. Processes
   * that outlive the program, so that its next start finds them, hold this descriptor.
   */
  readonly lifeline?: boolean;
  /**
   * Whether a message says that the program is a predecessor now. Its successor is started with
   * `--successor`; when that is ready, the predecessor is sent `{kind: "drain"}`, and when it has ended,
   * the successor is sent `{kind: "takeover"}`.
   */
  readonly isHotRestart?: (message: unknown) => boolean;
  /** Attempts of the first start: after as many failures, waiting longer would not help. */
  readonly firstTries?: number;
  readonly readyCapMs?: number;
  readonly stopCapMs?: number;
}

export interface SupervisedChild<Ready> {
  /**
   * Resolves when the program is ready for the first time. Rejects with a StartError that holds the
   * last log lines when it does not get ready.
   */
  readonly ready: Promise<Ready>;
  /** Sends a message to the process that runs now; a later one has to learn it from its environment. */
  readonly send: (message: object) => void;
  /** Asks the program for a hot restart. @returns false when it cannot do one now */
  readonly requestHotRestart: () => boolean;
  /** Ends the program and its restarts, also before it was ready. */
  readonly stop: () => Promise<void>;
}

const FIRST_TRIES = 3;
const READY_CAP_MS = 60_000;
const STOP_CAP_MS = 15_000;

/**
 * Starts a program and, once it was ready, keeps it running: when it ends, it is started again after
 * a growing pause.
 */
export function superviseChild<Ready>(spec: ChildSpec<Ready>): SupervisedChild<Ready> {
  const backoff = createBackoff();
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: ChildProcess | undefined;
  /** The current process once it is ready; a signal before that would end it. */
  let readyChild: ChildProcess | undefined;
  /** Asked for a hot restart and runs until its successor is ready. */
  let predecessor: ChildProcess | undefined;
  /** The lifelines of all runs, because processes that an earlier run has started may still be there. */
  const lifelines = new Set<Lifeline>();

  /** Runs the program once, from its start to its end or to its hot restart. */
  async function runOnce(
    last: Ready | undefined,
    onReady: (facts: Ready) => void,
  ): Promise<ChildProcess | undefined> {
    const env = await spec.environment(last);
    if (signal.aborted) return undefined;
    const former = predecessor;
    const isSuccessor = former !== undefined && !hasEnded(former);
    const child = spawnChild(spec, env, isSuccessor);
    current = child;
    const hotRestart = hotRestartRequest(child, spec);
    keepLifeline(child, lifelines);
    const facts = await readyMessage(child, spec);
    if (facts !== undefined && !signal.aborted) {
      readyChild = child;
      onReady(facts);
      if (isSuccessor) void replace(former, child, spec.stopCapMs ?? STOP_CAP_MS);
    }
    await Promise.race([ended(child), hotRestart]);
    readyChild = undefined;
    return child;
  }

  async function keepRunning(onFirstReady: (facts: Ready) => void): Promise<void> {
    let facts: Ready | undefined;
    for (let tries = 1; ; tries += 1) {
      const startedAt = performance.now();
      const child = await runOnce(facts, (now) => {
        if (facts === undefined) onFirstReady(now);
        else spec.progress.say(`${spec.program} is back`);
        facts = now;
        spec.onReady?.(now);
      });
      if (child === undefined || signal.aborted) return;
      if (facts === undefined && tries === (spec.firstTries ?? FIRST_TRIES)) {
        throw new StartError(`${spec.program} does not start${endOfLog(spec.log)}`);
      }
      if (!hasEnded(child)) {
        predecessor = child;
        spec.progress.say(`${spec.program}: hot restart, starting the successor`);
        continue;
      }
      if (facts !== undefined) {
        const hasPredecessor = predecessor !== undefined && !hasEnded(predecessor);
        const note = hasPredecessor ? "; its predecessor keeps running" : "";
        spec.progress.say(`${spec.program} ended (${endOf(child)}), starting it again${note}`);
      }
      const pauseMs = backoff.next(performance.now() - startedAt);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  const ready = new Promise<Ready>((resolve, reject) => {
    keepRunning(resolve).then(
      () => reject(new StartError(`${spec.program} was stopped`)),
      (error: unknown) => {
        // Before the program was ready this fails the start; later only `environment` can throw.
        reject(error);
        spec.log.write(String(error));
      },
    );
  });
  return {
    ready,
    send: (message) => {
      if (current !== undefined) sendTo(current, message);
    },
    // Not while a predecessor still runs: there are never more than two processes.
    requestHotRestart: () =>
      (predecessor === undefined || hasEnded(predecessor)) && readyChild?.kill("SIGUSR2") === true,
    stop: async () => {
      stopping.abort();
      const capMs = spec.stopCapMs ?? STOP_CAP_MS;
      const children = [current, predecessor].filter((child) => child !== undefined);
      await Promise.all(children.map((child) => endChild(child, capMs)));
      for (const lifeline of lifelines) lifeline.destroy();
    },
  };
}

/** Resolves when the program asks for a hot restart. */
function hotRestartRequest<Ready>(
  child: ChildProcess,
  { isHotRestart }: ChildSpec<Ready>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.on("message", (message) => {
    if (isHotRestart?.(message) === true) resolve();
  });
  return promise;
}

/** Ends the predecessor of a successor that is ready, and tells the successor when that is done. */
async function replace(
  predecessor: ChildProcess,
  successor: ChildProcess,
  capMs: number,
): Promise<void> {
  const kill = setTimeout(() => predecessor.kill("SIGKILL"), capMs);
  sendTo(predecessor, { kind: "drain" });
  await ended(predecessor);
  clearTimeout(kill);
  sendTo(successor, { kind: "takeover" });
}

/** The process may end before the message arrives. */
function sendTo(child: ChildProcess, message: object): void {
  if (child.connected) child.send(message, () => undefined);
}

type Lifeline = NonNullable<ChildProcess["stdio"][4]>;

/** Keeps the lifeline open until no process holds its other end any more. */
function keepLifeline(child: ChildProcess, lifelines: Set<Lifeline>): void {
  const lifeline = child.stdio[4];
  if (lifeline === null || lifeline === undefined) return;
  lifelines.add(lifeline);
  lifeline.on("error", () => undefined).on("close", () => lifelines.delete(lifeline));
}

function spawnChild<Ready>(
  spec: ChildSpec<Ready>,
  env: NodeJS.ProcessEnv,
  isSuccessor: boolean,
): ChildProcess {
  const hasLifeline = spec.lifeline === true;
  const flags = [...(hasLifeline ? ["--lifeline"] : []), ...(isSuccessor ? ["--successor"] : [])];
  const args = [...spec.args, ...flags];
  const child = spawn(process.execPath, args, {
    // Ctrl-C in the terminal reaches our whole process group; the supervisor stops the children in order.
    detached: true,
    stdio: [
      "ignore",
      spec.log.descriptor,
      spec.log.descriptor,
      "ipc",
      hasLifeline ? "pipe" : "ignore",
    ],
    env,
  });
  child.on("error", (error) => spec.log.write(`${spec.program}: ${error.message}`));
  const { pid } = child;
  if (pid !== undefined) {
    spec.onProcess?.(pid, true);
    child.once("exit", () => spec.onProcess?.(pid, false));
  }
  return child;
}

/** Undefined when the child ended first, or was killed because it was not ready in time. */
async function readyMessage<Ready>(
  child: ChildProcess,
  spec: ChildSpec<Ready>,
): Promise<Ready | undefined> {
  const cap = setTimeout(() => {
    spec.log.write(`${spec.program} was not ready in time and is killed`);
    child.kill("SIGKILL");
  }, spec.readyCapMs ?? READY_CAP_MS);
  const ready = new Promise<Ready>((resolve) => {
    child.on("message", (message) => {
      const facts = spec.parseReady(message);
      if (facts !== undefined) resolve(facts);
    });
  });
  try {
    return await Promise.race([ready, ended(child).then(() => undefined)]);
  } finally {
    clearTimeout(cap);
  }
}

/** Sends SIGTERM, and SIGKILL to a child that does not stop. */
async function endChild(child: ChildProcess, capMs: number): Promise<void> {
  if (hasEnded(child)) return;
  const kill = setTimeout(() => child.kill("SIGKILL"), capMs);
  child.kill("SIGTERM");
  await ended(child);
  clearTimeout(kill);
}

function endOfLog({ path, tail }: ChildLog): string {
  const lines = tail(15);
  return lines === "" ? "" : `. The end of ${path}:\n${lines}`;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

async function ended(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await once(child, "exit");
}

function endOf(child: ChildProcess): string {
  return child.signalCode ?? `exit code ${child.exitCode ?? "unknown"}`;
}
