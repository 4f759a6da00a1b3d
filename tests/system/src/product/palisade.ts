import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { programEnvironment } from "@palisade/testing/program-environment";
import { createTemporaryFolder, fastFolder } from "@palisade/testing/temporary-folder";
import { z } from "zod";
import { checkout } from "./checkout.ts";
import { collectOutput, type ChildOutput } from "./child-output.ts";

/** Generous: only a fault reaches it. */
const readyCapMs = 90_000;
const supervisorMain = path.join(checkout, "apps/supervisor/src/main.ts");
const partMain = path.join(checkout, "apps/supervisor/src/run-program.ts");

const childrenFile = z.array(z.object({ program: z.string(), pid: z.int() }));
const databaseFile = z.object({ ownerUrl: z.string(), runtimeUrl: z.string(), pid: z.int() });

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export type Program = "api" | "edge" | "dns";

/** The whole product under its supervisor, as `npm start` runs it. */
export interface Palisade {
  readonly home: string;
  readonly consoleUrl: string;
  readonly java: HostPort;
  readonly supervisor: ChildProcess;
  readonly output: ChildOutput;
  /** From the start of the supervisor to its ready line. */
  readonly startedInMs: number;
  pidOf(program: Program): Promise<number>;
  /** Ctrl-C. */
  stop(): Promise<void>;
}

/** In a home that a worker shares: the process that ends last. */
export const supervisorFile = "supervisor-pid";

export async function createHome(): Promise<string> {
  return (await createTemporaryFolder("system", await fastFolder())).path;
}

export async function removeHome(home: string): Promise<void> {
  // PostgreSQL may still be letting go of its files.
  await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/** Starts everything on free ports, or on those given. */
export async function startPalisade(
  home: string,
  settings: Record<string, string> = {},
): Promise<Palisade> {
  const beganAt = performance.now();
  const supervisor = spawn(process.execPath, [supervisorMain], {
    // The channel closes with the test process, however it ends: nothing is left behind.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: environmentOf(home, settings),
  });
  const output = collectOutput(supervisor, "the supervisor");
  const [, consoleUrl = "", host = "", port = ""] = await output.match(
    /^palisade ready (\S+) java (\S+):(\d+)$/m,
    readyCapMs,
  );
  return {
    home,
    consoleUrl,
    java: { host, port: Number(port) },
    supervisor,
    output,
    startedInMs: performance.now() - beganAt,
    pidOf: (program) => pidOf(home, program),
    async stop() {
      if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
      // A supervisor that a test has frozen hears nothing else.
      supervisor.kill("SIGCONT");
      supervisor.kill("SIGINT");
      await once(supervisor, "close");
    },
  };
}

/** The program's process now; the supervisor notes it whenever it starts one. */
export async function pidOf(home: string, program: Program): Promise<number> {
  const found = (await readRun(home, "children", childrenFile)).find(
    (child) => child.program === program,
  );
  if (found === undefined) throw new Error(`${program} does not run`);
  return found.pid;
}

/** The end of every program's log, to explain a failure. */
export async function logTails(home: string): Promise<string> {
  const folder = path.join(home, "logs");
  const names = await readdir(folder).catch((): string[] => []);
  const tails = names.map(async (name) => {
    const lines = (await readFile(path.join(folder, name), "utf8")).trimEnd().split("\n");
    return `${name}:\n${lines.slice(-8).join("\n")}`;
  });
  return (await Promise.all(tails)).join("\n");
}

/** The embedded PostgreSQL of the home. */
export function databaseOf(home: string): Promise<z.infer<typeof databaseFile>> {
  return readRun(home, "database", databaseFile);
}

async function readRun<S extends z.ZodType>(
  home: string,
  name: string,
  schema: S,
): Promise<z.output<S>> {
  return schema.parse(JSON.parse(await readFile(path.join(home, "run", `${name}.json`), "utf8")));
}

/** One program alone, as `npm run edge` runs it. */
export interface Part {
  readonly process: ChildProcess;
  readonly output: ChildOutput;
  /** The addresses the program reported when it was ready, e.g. `url` or `java`. */
  readonly facts: Readonly<Record<string, string>>;
  /** Process ids of the program itself, not of the command that runs it; two during a hot restart. */
  pids(): Promise<number[]>;
  /** kill -9 of the program itself. All but an edge end with it. */
  killProgram(): Promise<void>;
  /** Once an edge that was killed, or has handed over, is there again; so often in all. */
  isBack(times?: number): Promise<unknown>;
  stop(): Promise<void>;
}

const readyFacts = z.record(z.string(), z.string());

/** @param command a program of ours that runs the part */
export async function startPart(
  program: Program,
  home: string,
  settings: Record<string, string> = {},
  command = partMain,
): Promise<Part> {
  const child = spawn(process.execPath, [command, program], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: environmentOf(home, settings),
  });
  const output = collectOutput(child, program);
  const [, facts = ""] = await output.match(new RegExp(`${program} ready: (\\{.*\\})`), readyCapMs);
  const pids = () =>
    descendants(child.pid ?? 0, path.join(checkout, `apps/${program}/src/main.ts`));
  return {
    process: child,
    output,
    facts: readyFacts.parse(JSON.parse(facts)),
    pids,
    async killProgram() {
      for (const pid of await pids()) process.kill(pid, "SIGKILL");
      if (program !== "edge") await once(child, "close");
    },
    isBack: (times = 1) => output.match(new RegExp(`(edge ready: [^]*){${times + 1}}`), readyCapMs),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "close");
    },
  };
}

/** Processes below this one that run the file. */
async function descendants(pid: number, main: string): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const found = children
    .split(" ")
    .filter(Boolean)
    .map(async (text) => {
      const child = Number(text);
      const command = await readFile(`/proc/${child}/cmdline`, "utf8").catch(() => "");
      return command.split("\0").includes(main) ? [child] : descendants(child, main);
    });
  return (await Promise.all(found)).flat();
}

/** A command of `npm run palisade`; resolves with what it printed. */
export async function runCommand(home: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [partMain, "cli", ...args], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: environmentOf(home, {}),
  });
  const output = collectOutput(child, args.join(" "));
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`${args.join(" ")} failed:\n${output.text()}`);
  return output.text();
}

/** `host:port` as a program says it; an address that stands for all is dialled on loopback. */
export function parseHostPort(text: string): HostPort {
  const at = text.lastIndexOf(":");
  const host = text.slice(0, at);
  return { host: host === "0.0.0.0" ? "127.0.0.1" : host, port: Number(text.slice(at + 1)) };
}

function environmentOf(home: string, settings: Record<string, string>): NodeJS.ProcessEnv {
  return {
    HOME: process.env["HOME"] ?? "",
    ...programEnvironment,
    PALISADE_HOME: home,
    PALISADE_HTTP_PORT: "0",
    PALISADE_JAVA_PORT: "0",
    PALISADE_EDGE_METRICS_PORT: "0",
    PALISADE_API_METRICS_PORT: "0",
    PALISADE_DNS_PORT: "0",
    PALISADE_DNS_METRICS_PORT: "0",
    // Edges killed in tests would leave their tables in the kernel: their homes never start again.
    PALISADE_KERNEL: "off",
    // Threads cost time at every start; those who test them ask for more.
    PALISADE_EDGE_WORKERS: process.env["PALISADE_EDGE_WORKERS"] ?? "1",
    ...settings,
  };
}
