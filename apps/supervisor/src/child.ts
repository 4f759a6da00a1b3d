import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { createBackoff } from "./backoff.ts";
import type { LogFile } from "./log-file.ts";
import { type Progress, StartError } from "./progress.ts";

/** Where its output goes: to a log file, or where ours goes. */
interface ChildLog extends Pick<LogFile, "path" | "tail" | "write"> {
  readonly descriptor: number | "inherit";
}

export interface ChildSpec<Facts> {
  readonly program: string;
  /** Arguments of Node: the program's main file. */
  readonly args: readonly string[];
  /** Asked before every start; `last` is what the program said when it was ready before. */
  readonly environment: (last: Facts | undefined) => Promise<NodeJS.ProcessEnv> | NodeJS.ProcessEnv;
  /** Reads the program's ready message. @throws when it is not one */
  readonly parseReady: (message: unknown) => Facts | undefined;
  readonly log: ChildLog;
  readonly progress: Progress;
  /** Told of every process, and that it has ended. */
  readonly onProcess?: (pid: number, isAlive: boolean) => void;
  readonly onReady?: (facts: Facts) => void;
  /**
   * Gives it `--lifeline` and a descriptor 4 that ends when we do. What it starts and outlives it,
   * so that the next start finds it, holds on to that.
   */
  readonly lifeline?: boolean;
  /**
   * Whether it says that another may take its place. That one is started with `--beside`; once it is
   * ready the former is sent `{kind: "leave"}`, and when this has ended the latter `{kind: "alone"}`.
   */
  readonly isHandOver?: (message: unknown) => boolean;
  /** A first start that fails this often does so for a reason that waiting does not change. */
  readonly firstTries?: number;
  readonly readyCapMs?: number;
  readonly stopCapMs?: number;
}

export interface SupervisedChild<Facts> {
  /**
   * Resolves once the program serves for the first time.
   * Rejects with a StartError, holding its last log lines, when it does not come to that.
   */
  readonly ready: Promise<Facts>;
  /** Tells the program as it now runs; one that is started later has to learn it otherwise. */
  readonly tell: (message: object) => void;
  /** Asks it to hand over to the next. @returns false where none can be asked now */
  readonly handOver: () => boolean;
  /** Ends the program and its restarts, also before it was ready. */
  readonly stop: () => Promise<void>;
}

const FIRST_TRIES = 3;
const READY_CAP_MS = 60_000;
const STOP_CAP_MS = 15_000;

/**
 * Starts a program and, once it was ready, keeps it running: a death is followed by a new start
 * after a growing pause.
 */
export function superviseChild<Facts>(spec: ChildSpec<Facts>): SupervisedChild<Facts> {
  const backoff = createBackoff();
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: ChildProcess | undefined;
  /** The current one, once it is ready: earlier a signal would end it. */
  let serving: ChildProcess | undefined;
  /** Has handed over, and is there until the next is ready. */
  let leaving: ChildProcess | undefined;
  /** Of every life: some of what an earlier one has started may still be there. */
  const lifelines = new Set<Lifeline>();

  /** One life of the program, from its start to its end. */
  async function live(
    last: Facts | undefined,
    onReady: (facts: Facts) => void,
  ): Promise<ChildProcess | undefined> {
    const env = await spec.environment(last);
    if (signal.aborted) return undefined;
    const before = leaving;
    const isBeside = before !== undefined && !hasEnded(before);
    const child = spawnChild(spec, env, isBeside);
    current = child;
    const handedOver = handOverOf(child, spec);
    keepLifeline(child, lifelines);
    const facts = await readyFacts(child, spec);
    if (facts !== undefined && !signal.aborted) {
      serving = child;
      onReady(facts);
      if (isBeside) void replace(before, child, spec.stopCapMs ?? STOP_CAP_MS);
    }
    await Promise.race([ended(child), handedOver]);
    serving = undefined;
    return child;
  }

  async function keepRunning(onFirstReady: (facts: Facts) => void): Promise<void> {
    let facts: Facts | undefined;
    for (let tries = 1; ; tries += 1) {
      const startedAt = performance.now();
      const child = await live(facts, (now) => {
        if (facts === undefined) onFirstReady(now);
        else spec.progress.say(`${spec.program} is back`);
        facts = now;
        spec.onReady?.(now);
      });
      if (child === undefined || signal.aborted) return;
      if (facts === undefined && tries === (spec.firstTries ?? FIRST_TRIES)) {
        throw new StartError(`${spec.program} does not start${lastWords(spec.log)}`);
      }
      if (!hasEnded(child)) {
        leaving = child;
        spec.progress.say(`${spec.program} hands over, starting the next`);
        continue;
      }
      if (facts !== undefined) {
        const isAwaited = leaving !== undefined && !hasEnded(leaving);
        const before = isAwaited ? "; the one before goes on" : "";
        spec.progress.say(`${spec.program} ended (${endOf(child)}), starting it again${before}`);
      }
      const pauseMs = backoff.next(performance.now() - startedAt);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  const ready = new Promise<Facts>((resolve, reject) => {
    keepRunning(resolve).then(
      () => reject(new StartError(`${spec.program} was stopped`)),
      (error: unknown) => {
        // Before the first readiness this fails the start; afterwards only `environment` can throw.
        reject(error);
        spec.log.write(String(error));
      },
    );
  });
  return {
    ready,
    tell: (message) => {
      if (current !== undefined) tell(current, message);
    },
    // Not while the one before is still there: each is told when it alone is.
    handOver: () =>
      (leaving === undefined || hasEnded(leaving)) && serving?.kill("SIGUSR2") === true,
    stop: async () => {
      stopping.abort();
      const capMs = spec.stopCapMs ?? STOP_CAP_MS;
      const children = [current, leaving].filter((child) => child !== undefined);
      await Promise.all(children.map((child) => endChild(child, capMs)));
      for (const lifeline of lifelines) lifeline.destroy();
    },
  };
}

/** Resolves once it says that another may take its place. */
function handOverOf<Facts>(child: ChildProcess, { isHandOver }: ChildSpec<Facts>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.on("message", (message) => {
    if (isHandOver?.(message) === true) resolve();
  });
  return promise;
}

/** The next is ready: the one before leaves, and the next is told when it has. */
async function replace(before: ChildProcess, next: ChildProcess, capMs: number): Promise<void> {
  const kill = setTimeout(() => before.kill("SIGKILL"), capMs);
  tell(before, { kind: "leave" });
  await ended(before);
  clearTimeout(kill);
  tell(next, { kind: "alone" });
}

/** A program that is about to end may be gone before it hears it. */
function tell(child: ChildProcess, message: object): void {
  if (child.connected) child.send(message, () => undefined);
}

type Lifeline = NonNullable<ChildProcess["stdio"][4]>;

/** Until nobody holds its other end any more. */
function keepLifeline(child: ChildProcess, lifelines: Set<Lifeline>): void {
  const lifeline = child.stdio[4];
  if (lifeline === null || lifeline === undefined) return;
  lifelines.add(lifeline);
  lifeline.on("error", () => undefined).on("close", () => lifelines.delete(lifeline));
}

function spawnChild<Facts>(
  spec: ChildSpec<Facts>,
  env: NodeJS.ProcessEnv,
  isBeside: boolean,
): ChildProcess {
  const hasLifeline = spec.lifeline === true;
  const flags = [...(hasLifeline ? ["--lifeline"] : []), ...(isBeside ? ["--beside"] : [])];
  const args = [...spec.args, ...flags];
  const child = spawn(process.execPath, args, {
    // The terminal's Ctrl-C reaches our whole process group; the children stop in our order.
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

/** Undefined when the child ended first, or was ended for staying silent too long. */
async function readyFacts<Facts>(
  child: ChildProcess,
  spec: ChildSpec<Facts>,
): Promise<Facts | undefined> {
  const cap = setTimeout(() => {
    spec.log.write(`${spec.program} was not ready in time and is ended`);
    child.kill("SIGKILL");
  }, spec.readyCapMs ?? READY_CAP_MS);
  const ready = new Promise<Facts>((resolve) => {
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

/** SIGTERM, and SIGKILL for one that does not stop. */
async function endChild(child: ChildProcess, capMs: number): Promise<void> {
  if (hasEnded(child)) return;
  const kill = setTimeout(() => child.kill("SIGKILL"), capMs);
  child.kill("SIGTERM");
  await ended(child);
  clearTimeout(kill);
}

function lastWords({ path, tail }: ChildLog): string {
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
