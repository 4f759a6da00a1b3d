import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { afterEach, expect, test } from "vitest";
import {
  startEdgeProgram,
  type EdgeOptions,
  type EdgeProgram,
} from "../verification/edge-program.ts";

/** The settings of an edge, in the program as it is run: two threads, relay processes, no control plane. */

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const host = "play.example.org";
const handshake = encodeHandshake({ protocol: 758, host, port: 25_565, intent: "login" });
const login = Buffer.concat([handshake, encodeLoginStart("Steve")]);

async function startServer(onSocket: (socket: Socket) => void) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket.on("error", () => undefined).on("close", () => sockets.delete(socket)));
    onSocket(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A TCP server's address is not a pipe's name.
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const startEcho = () => startServer((socket) => socket.pipe(socket));

async function start(options: Partial<EdgeOptions>): Promise<EdgeProgram> {
  const edge = await startEdgeProgram({
    shields: [],
    sessionServerUrl: "http://127.0.0.1:9",
    workers: 2,
    ...options,
  });
  ends.push(() => edge.stop());
  return edge;
}

/** A client that has sent this; each comes from an address of its own. */
function client({ address }: EdgeProgram, n: number, sent: Uint8Array = login) {
  const socket = connect({ ...address, localAddress: `127.9.0.${n}` });
  let heard = 0;
  let text = "";
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    heard += chunk.length;
    text = chunk.toString("latin1");
  });
  socket.write(sent);
  ends.push(() => socket.destroy());
  return { socket, heard: () => heard, text: () => text };
}

test("the shares of a shield whose plan says nothing hold over all threads and relay processes", async () => {
  const echo = await startEcho();
  const bytesPerSecond = 1_000_000;
  const edge = await start({
    shields: [sampleShield({ groups: [sampleGroup(sampleBackend(echo.port))] })],
    settings: {
      PALISADE_EDGE_SHIELD_PLAYERS: "3",
      PALISADE_EDGE_SHIELD_HALF_OPEN: "16",
      PALISADE_EDGE_SHIELD_BANDWIDTH: String(bytesPerSecond),
    },
  });
  const players = [1, 2, 3].map((n) => client(edge, n));
  await until(() => players.every(({ heard }) => heard() === login.length));
  const refused = client(edge, 4);
  await until(() => refused.text().includes("Too many"));

  for (let n = 20; n < 60; n++) client(edge, n, handshake);
  const shed = () => edge.metric("connection_outcomes_total", 'outcome="shed_shield"');
  await until(async () => (await shed()) > 0, { what: "half-open connections to make room" });

  const [player, ...others] = players;
  for (const { socket } of others) socket.destroy();
  await until(async () => (await edge.metric("players")) === 1);
  const flood = Buffer.alloc(2 * bytesPerSecond, 7);
  const beganAt = performance.now();
  player?.socket.write(flood);
  await until(() => player?.heard() === login.length + flood.length);
  const seconds = (performance.now() - beganAt) / 1_000;
  // Both ways count. Half a second's bytes come at once, and as much again while others leave.
  expect(2 * flood.length).toBeLessThan(bytesPerSecond * (seconds + 2));
});

test("a port that the installation refuses is connected to by nothing", async () => {
  const [open, refused] = [await startEcho(), await startEcho()];
  const group = sampleGroup(sampleBackend(refused.port, 1), sampleBackend(open.port, 2));
  const edge = await start({
    shields: [sampleShield({ groups: [group] })],
    settings: { PALISADE_BACKEND_PORTS_REFUSED: `1-1023,${refused.port}` },
  });
  const players = [1, 2, 3, 4].map((n) => client(edge, n));
  await until(() => players.every(({ heard }) => heard() === login.length));
  await until(async () => (await edge.metric("backends", 'state="down"')) > 0);
  expect(refused.connections()).toBe(0);
});

test("an edge that starts again without a control plane asks an unproven server anew, and its players get in", async () => {
  // It answers a status as Minecraft, and everything else with the same bytes.
  const server = await startServer((socket) => {
    socket.on("data", (bytes: Buffer) => {
      const isStatus = bytes.includes(Buffer.from([1, 0])) && !bytes.includes("Steve");
      socket.write(isStatus ? encodeStatusResponse('{"version":{"name":"Test"}}') : bytes);
    });
  });
  const backend = { ...sampleBackend(server.port), proven: false };
  const shields = [sampleShield({ groups: [sampleGroup(backend)] })];
  const joins = async (edge: EdgeProgram, n: number): Promise<void> => {
    const player = client(edge, n);
    await until(() => player.heard() === login.length);
    player.socket.destroy();
  };
  const first = await start({ shields });
  await joins(first, 1);
  await first.kill();
  const second = await start({ after: first });
  await joins(second, 2);
});
