import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { superviseChild, type ChildSpec, type SupervisedChild } from "./child.ts";
import { openLogFile, type LogFile } from "./log-file.ts";
import { processStartTime } from "./process-start-time.ts";
import { isHotRestart, portOf } from "./ready-messages.ts";

const readySchema = z.object({ kind: z.literal("ready"), address: z.string() });
type Ready = z.infer<typeof readySchema>;

/** Listens on PORT and reports its address; ends when the channel closes, as the programs do. */
const SERVER = `
  import { createServer } from "node:net";
  process.on("SIGTERM", () => process.exit(0));
  process.on("disconnect", () => process.exit(0));
  const server = createServer((socket) => socket.end("hello"));
  server.listen(Number(process.env.PORT), "127.0.0.1", () => {
    process.send({ kind: "ready", address: "127.0.0.1:" + server.address().port });
  });`;

let home: string;
let log: LogFile;
let said: string[];
let alive: Set<number>;
const children: SupervisedChild<Ready>[] = [];

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "palisade-child-"));
  log = openLogFile(home, "fake");
  said = [];
  alive = new Set();
});

afterEach(async () => {
  for (const child of children.splice(0)) await child.stop();
  log.close();
  await rm(home, { recursive: true });
});

async function supervise(
  source: string,
  options: Partial<ChildSpec<Ready>> = {},
): Promise<SupervisedChild<Ready>> {
  const file = path.join(home, "program.mjs");
  await writeFile(file, source);
  const child = superviseChild<Ready>({
    program: "fake",
    args: [file],
    environment: (last) => ({ PORT: String(last === undefined ? 0 : portOf(last.address)) }),
    parseReady: (message) => readySchema.safeParse(message).data,
    log,
    progress: { say: (line) => said.push(line) },
    onProcess: (pid, isAlive) => (isAlive ? alive.add(pid) : alive.delete(pid)),
    ...options,
  });
  children.push(child);
  return child;
}

const answers = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(portOf(address), "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.resume();
  });

const onlyPid = (): number => [...alive][0] ?? 0;

/** Writes the message that it receives to a file. */
const LISTENER = `
  process.on("disconnect", () => process.exit(0));
  process.on("message", ({ address }) => {
    import("node:fs").then(({ writeFileSync }) => writeFileSync(process.env.TOLD, address));
  });
  process.send({ kind: "ready", address: "127.0.0.1:1" });`;

/** Starts a process that holds its lifeline, and writes the pid of that process to a file. */
const LIFELINE_SHARER = `
  import { spawn } from "node:child_process";
  import { writeFileSync } from "node:fs";
  const held = 'new (require("node:net").Socket)({ fd: 4 }).on("close", process.exit).resume()';
  const stdio = ["ignore", "ignore", "ignore", "ignore", 4];
  writeFileSync(process.env.HELD, String(spawn(process.execPath, ["-e", held], { stdio }).pid));
  process.on("SIGTERM", () => process.exit(0));
  process.on("disconnect", () => process.exit(0));
  process.send({ kind: "ready", address: "127.0.0.1:1" });`;

describe("a supervised program", () => {
  test("a process that holds its lifeline outlives the program, but not the stop", async () => {
    const held = path.join(home, "held");
    let lives = 0;
    const child = await supervise(LIFELINE_SHARER, {
      lifeline: true,
      environment: () => ({ HELD: `${held}.${++lives}` }),
    });
    await child.ready;
    process.kill(onlyPid(), "SIGKILL");
    await until(() => lives === 2 && said.includes("fake is back"));
    const pids = await Promise.all(
      [1, 2].map(async (life) => Number(await readFile(`${held}.${life}`, "utf8"))),
    );
    for (const pid of pids) expect(await processStartTime(pid)).toBeDefined();
    await child.stop();
    for (const pid of pids) await until(async () => (await processStartTime(pid)) === undefined);
  });

  test("receives a message after its start; sending to a stopped one is no error", async () => {
    const told = path.join(home, "told");
    const child = await supervise(LISTENER, { environment: () => ({ TOLD: told }) });
    await child.ready;
    child.send({ address: "127.0.0.1:5353" });
    expect(await until(() => readFile(told, "utf8").catch(() => ""))).toBe("127.0.0.1:5353");
    await child.stop();
    child.send({ address: "127.0.0.1:5354" });
  });

  test("comes back on the port it had after it was killed", async () => {
    const ready: string[] = [];
    const child = await supervise(SERVER, { onReady: (facts) => ready.push(facts.address) });
    const { address } = await child.ready;
    for (const round of [1, 2, 3]) {
      process.kill(onlyPid(), "SIGKILL");
      await until(() => ready.length === round + 1);
      expect(await answers(address)).toBe(true);
    }
    expect(new Set(ready)).toEqual(new Set([address]));
    expect(said).toContain("fake ended (SIGKILL), starting it again");
  });

  test("is not started again once stopped", async () => {
    const child = await supervise(SERVER);
    const { address } = await child.ready;
    const pid = onlyPid();
    await child.stop();
    expect(await processStartTime(pid)).toBeUndefined();
    expect(alive.size).toBe(0);
    expect(await answers(address)).toBe(false);
  });

  test("that never gets ready fails the start with the end of its log", async () => {
    const child = await supervise(`
      console.log(JSON.stringify({ level: 60, msg: "no database", err: { message: "refused" } }));
      process.exit(3);`);
    await expect(child.ready).rejects.toThrow("no database: refused");
  });

  test("that does not get ready is killed and started again", async () => {
    const child = await supervise(
      `import { existsSync, writeFileSync } from "node:fs";
       if (existsSync(process.argv[1] + ".second")) {
         process.send({ kind: "ready", address: "127.0.0.1:1" });
       }
       writeFileSync(process.argv[1] + ".second", "");
       setInterval(() => undefined, 1_000);`,
      { readyCapMs: 400 },
    );
    expect(await child.ready).toEqual({ kind: "ready", address: "127.0.0.1:1" });
  });

  test("that ignores SIGTERM is killed", async () => {
    const child = await supervise(
      `process.on("SIGTERM", () => undefined);
       setInterval(() => undefined, 1_000);
       process.send({ kind: "ready", address: "127.0.0.1:1" });`,
      { stopCapMs: 200 },
    );
    await child.ready;
    await child.stop();
    expect(alive.size).toBe(0);
  });

  test("runs through a hot restart until its successor is ready, which is told when it has ended", async () => {
    // The first start of the successor fails; the predecessor still runs for the second.
    const child = await supervise(
      `import { appendFileSync, existsSync, writeFileSync } from "node:fs";
       const say = (line) => appendFileSync(process.argv[1] + ".said", line + "\\n");
       const isSuccessor = process.argv.includes("--successor");
       process.on("message", ({ kind }) => {
         say((isSuccessor ? "successor " : "predecessor ") + kind);
         if (kind === "drain") process.exit(0);
       });
       process.on("SIGUSR2", () => process.send({ kind: "predecessor" }));
       process.on("disconnect", () => process.exit());
       setInterval(() => undefined, 1_000);
       if (isSuccessor && !existsSync(process.argv[1] + ".tried")) {
         writeFileSync(process.argv[1] + ".tried", "");
         process.exit(1);
       }
       say(isSuccessor ? "successor ready" : "predecessor ready");
       process.send({ kind: "ready", address: "127.0.0.1:1" });`,
      { isHotRestart: isHotRestart },
    );
    expect(child.requestHotRestart()).toBe(false);
    await child.ready;
    const predecessor = onlyPid();
    expect(child.requestHotRestart()).toBe(true);
    const told = async (): Promise<string> => readFile(path.join(home, "program.mjs.said"), "utf8");
    await until(async () => (await told()).endsWith("takeover\n"));
    expect((await told()).trim().split("\n")).toEqual([
      "predecessor ready",
      "successor ready",
      "predecessor drain",
      "successor takeover",
    ]);
    expect(said).toContain(
      "fake ended (exit code 1), starting it again; its predecessor keeps running",
    );
    expect(onlyPid()).not.toBe(predecessor);
    expect(alive.size).toBe(1);
  });

  test("does no hot restart while a predecessor still runs", async () => {
    const child = await supervise(
      `import { existsSync } from "node:fs";
       const isSuccessor = process.argv.includes("--successor");
       const look = () => existsSync(process.argv[1] + ".go") && process.exit();
       process.on("message", ({ kind }) => kind === "drain" && setInterval(look, 10));
       process.on("SIGUSR2", () => process.send({ kind: "predecessor" }));
       process.on("disconnect", () => process.exit());
       setInterval(() => undefined, 1_000);
       process.send({ kind: "ready", address: isSuccessor ? "127.0.0.1:2" : "127.0.0.1:1" });`,
      { isHotRestart: isHotRestart },
    );
    await child.ready;
    expect(child.requestHotRestart()).toBe(true);
    await until(() => said.includes("fake is back"));
    expect(alive.size).toBe(2);
    expect(child.requestHotRestart()).toBe(false);
    await writeFile(path.join(home, "program.mjs.go"), "");
    await until(() => alive.size === 1);
    expect(child.requestHotRestart()).toBe(true);
    await until(() => said.filter((line) => line === "fake is back").length === 2);
  });

  test("can be stopped before it is ready", async () => {
    const child = await supervise("setInterval(() => undefined, 1_000);");
    await until(() => alive.size === 1);
    await child.stop();
    await expect(child.ready).rejects.toThrow("fake was stopped");
    expect(alive.size).toBe(0);
  });
});
