import { readdir, readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { once } from "node:events";
import path from "node:path";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EchoServer, startEchoServer } from "../overload/echo-server.ts";
import {
  createHome,
  type HostPort,
  parseHostPort,
  type Part,
  removeHome,
  startPart,
} from "../product/palisade.ts";
import { writeLastGood } from "../verification/edge-program.ts";

/** The ports of an edge of two threads, while its program is killed, restarted and stopped. */

const hello = Buffer.concat([
  encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
  encodeLoginStart("Steve"),
]);
const players = 60;

let home: string;
let server: EchoServer;
let edge: Part;
let java: HostPort;
let restarts = 0;

beforeAll(async () => {
  [home, server] = await Promise.all([createHome(), startEchoServer()]);
  const shield = sampleShield({ groups: [sampleGroup(sampleBackend(server.port))] });
  await writeLastGood(path.join(home, "edge/config"), [shield]);
  const settings = { PALISADE_API_URL: "http://127.0.0.1:9", PALISADE_EDGE_WORKERS: "2" };
  edge = await startPart("edge", home, settings);
  java = parseHostPort(edge.facts["java"] ?? "");
});

afterAll(async () => {
  await edge?.stop();
  server?.stop();
  if (home !== undefined) await removeHome(home);
});

let serial = 0;

/** @returns `joined` once the server has said back what the player said, or how the connection ended */
function join(): Promise<string> {
  // Each has an address of their own: many from one would be too many.
  const localAddress = `127.7.${Math.floor(++serial / 250) % 250}.${1 + (serial % 250)}`;
  const socket = connect({ ...java, localAddress });
  const { promise, resolve } = Promise.withResolvers<string>();
  let heard = 0;
  socket.on("data", ({ length }: Buffer) => {
    heard += length;
    if (heard < hello.length) return;
    resolve("joined");
    socket.destroy();
  });
  socket.on("error", (error) => resolve(String(error))).on("close", () => resolve("closed"));
  socket.write(hello);
  return promise;
}

/** Players join one after the other until it is over. @returns those who could not */
async function joinUntil(over: Promise<unknown>): Promise<string[]> {
  const ended = new AbortController();
  const end = over.finally(() => ended.abort());
  const results: string[] = [];
  const lane = async (): Promise<void> => {
    while (!ended.signal.aborted) results.push(await join());
  };
  await Promise.all([end, lane(), lane(), lane()]);
  expect(results.length).toBeGreaterThan(0);
  return results.filter((result) => result !== "joined");
}

/** Newcomers between the kill and the next program. */
async function killAndJoin(): Promise<string[]> {
  const killed = await edge.pids();
  await edge.killProgram();
  await until(async () => (await edge.pids()).every((pid) => !killed.includes(pid)));
  const results = await Promise.all(Array.from({ length: players }, join));
  await edge.isBack(++restarts);
  return results.filter((result) => result !== "joined");
}

async function restartHot(): Promise<void> {
  const [predecessor = 0] = await edge.pids();
  edge.process.kill("SIGUSR2");
  await edge.isBack(++restarts);
  await until(async () => !(await edge.pids()).includes(predecessor));
}

/** Processes of this edge that hold its listening sockets: their title hides their arguments. */
async function holders(): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Boolean);
  const isOurs = async (pid: number): Promise<boolean> => {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (!command.startsWith("palisade-sockets")) return false;
    return (await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")).includes(home);
  };
  const found = pids.map(async (pid) => ((await isOurs(pid)) ? [pid] : []));
  return (await Promise.all(found)).flat();
}

const descriptorsOf = async (pid = 0): Promise<number> =>
  (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;

test("after kill -9 of the edge no newcomer is refused: all wait, and join the next program", async () => {
  expect(await killAndJoin()).toEqual([]);
});

test("across a hot restart every newcomer joins", async () => {
  expect(await joinUntil(restartHot())).toEqual([]);
});

test("the process that holds the ports is replaced when it is killed, and the next kill -9 refuses no one", async () => {
  const [killed, ...others] = await holders();
  if (killed === undefined) throw new Error("no process holds the ports");
  expect(others).toEqual([]);
  process.kill(killed, "SIGKILL");
  await until(async () => (await holders()).some((pid) => pid !== killed));
  expect(await joinUntil(restartHot())).toEqual([]);
  expect(await killAndJoin()).toEqual([]);
});

test("restarts leak no descriptor, neither in the edge nor in the process that holds its ports", async () => {
  const [holder] = await holders();
  const count = async () => [
    await descriptorsOf(holder),
    await descriptorsOf((await edge.pids())[0]),
  ];
  // Connections of players who have left are gone.
  const settled = async (): Promise<number[]> => {
    let last: number[] = [];
    await until(
      async () => {
        const before = last.join(" ");
        last = await count();
        return last.join(" ") === before;
      },
      { everyMs: 1_000 },
    );
    return last;
  };
  const before = await settled();
  await restartHot();
  await killAndJoin();
  await restartHot();
  const after = await settled();
  expect(await holders()).toEqual([holder]);
  expect(after[0]).toBe(before[0]);
  // The relay processes of the edges before are connections more.
  expect(after[1]).toBeLessThanOrEqual((before[1] ?? 0) + 4);
});

test("an orderly stop frees the port at once and leaves no process", async () => {
  await edge.stop();
  const other = createServer().listen(java.port, java.host);
  await once(other, "listening");
  other.close();
  expect(await holders()).toEqual([]);
});
