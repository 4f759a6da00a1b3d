import { writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EchoServer, startEchoServer } from "../overload/echo-server.ts";
import { checkout } from "../product/checkout.ts";
import {
  createHome,
  type HostPort,
  parseHostPort,
  type Part,
  removeHome,
  startPart,
} from "../product/palisade.ts";
import { writeLastGood } from "../verification/edge-program.ts";

/** An edge as `npm run edge` runs it, with its last good copy and no control plane. */

const hello = Buffer.concat([
  encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
  encodeLoginStart("Steve"),
]);

/** Loaded by every program that is started. */
let release: string;
const failsWith = (flag: string): string =>
  `if (process.argv.includes("${flag}")) throw new Error("a bad release");`;

let home: string;
let server: EchoServer;
let edge: Part;
let java: HostPort;
const players: Player[] = [];

beforeAll(async () => {
  [home, server] = await Promise.all([createHome(), startEchoServer()]);
  const shield = sampleShield({ groups: [sampleGroup(sampleBackend(server.port))] });
  await writeLastGood(path.join(home, "edge/config"), [shield]);
  release = path.join(home, "release.mjs");
  await writeFile(release, "");
  const settings = {
    PALISADE_API_URL: "http://127.0.0.1:9",
    NODE_OPTIONS: `--import=${release}`,
  };
  edge = await startPart("edge", home, settings, path.join(checkout, "scripts/run.mjs"));
  java = parseHostPort(edge.facts["java"] ?? "");
});

afterAll(async () => {
  for (const player of players) player.socket.destroy();
  await edge?.stop();
  server?.stop();
  if (home !== undefined) await removeHome(home);
});

interface Player {
  readonly socket: Socket;
  heard: string;
}

/** Plays once the server has said back what he said to it. */
async function join(): Promise<Player> {
  const player: Player = { socket: connect(java), heard: "" };
  players.push(player);
  player.socket.on("error", () => undefined);
  player.socket.on("data", (chunk: Buffer) => (player.heard += chunk.toString("latin1")));
  player.socket.write(hello);
  const echo = hello.toString("latin1");
  await until(() => player.heard === echo || player.socket.closed, { what: "the server's echo" });
  expect(player.heard).toBe(echo);
  return player;
}

async function expectPlaying(text: string): Promise<void> {
  for (const { socket } of players) socket.write(text);
  await until(() => players.every(({ heard }) => heard.endsWith(text)), { what: text });
}

test("an edge that runs alone is started again after kill -9, stays while the code on disk does not start, and hands over once it does; players play on, and end with the command", async () => {
  await join();
  await edge.killProgram();
  await expectPlaying("without an edge");
  await edge.isBack();
  await expectPlaying("with the next");
  await join();

  // The code on disk fails its check.
  const before = await edge.pids();
  await writeFile(release, failsWith("--check"));
  edge.process.kill("SIGUSR2");
  await edge.output.match(/has not handed over/, 60_000);
  expect(await edge.pids()).toEqual(before);
  expect((await fetch(new URL("/readyz", edge.facts["metrics"]))).status).toBe(200);
  await join();

  // The next does not start, then it does.
  const [former = 0] = await edge.pids();
  await writeFile(release, failsWith("--successor"));
  edge.process.kill("SIGUSR2");
  await edge.output.match(/edge ended .*; its predecessor keeps running/, 60_000);
  await join();
  expect(await edge.pids()).toContain(former);
  await writeFile(release, "");
  await edge.isBack(2);
  await until(async () => !(await edge.pids()).includes(former));
  await expectPlaying("with another");
  await join();

  // However the command ends, no player process is left behind.
  edge.process.kill("SIGKILL");
  await until(() => players.every(({ socket }) => socket.destroyed));
  await until(async () => (await edge.pids()).length === 0);
});
