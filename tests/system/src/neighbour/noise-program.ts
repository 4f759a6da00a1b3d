import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setPriority } from "node:os";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { statusRequest } from "@palisade/minecraft-protocol/java/status";
import { freePort } from "@palisade/testing/free-port";
import { hosts, type NoisePorts, share, sourceAddress, times } from "./plan.ts";

/**
 * The noisy shield: a server that sends as fast as it is read, one that says nothing, and clients
 * that ask for a hundred times the shield's share.
 *
 * Messages in: a `NoiseOrder`. Messages out: `{ kind: "listening", ports }`, and after `rest` what was
 * had.
 */
export type NoiseOrder =
  | { readonly do: "begin"; readonly host: string; readonly port: number }
  | { readonly do: "rest" };

export interface NoiseResult {
  readonly kind: "rested";
  readonly ms: number;
  /** Connections that were opened. */
  readonly opened: Readonly<Record<NoiseKind, number>>;
  /** Bytes that its players received. */
  readonly bytes: number;
  /** Most players who received any at the same time. */
  readonly playersMax: number;
}

export type NoiseKind = "bulk" | "silent" | "half-open" | "status" | "raw";

const protocol = 758;
const network = 60;
const tickMs = 20;
/** One process cannot open more beside the others' work; all kinds together. */
const opensPerSecond = 1_000;
/**
 * Connections that are wanted at once: players ask for a hundred times the share, and so do logins
 * that are never finished. One that the edge ends is opened again.
 */
const wanted: Readonly<Record<NoiseKind, number>> = {
  bulk: times * share.players,
  silent: times * share.players,
  "half-open": times * share.half_open_logins,
  status: 100,
  raw: times * share.players,
};
/** In this order; unfinished logins are most of them, because they last for three seconds at most. */
const order: readonly NoiseKind[] = [
  "half-open",
  "bulk",
  "half-open",
  "silent",
  "half-open",
  "raw",
  "half-open",
  "status",
  "half-open",
];
const kinds = Object.keys(wanted) as NoiseKind[];

const open = new Map<NoiseKind, Set<Socket>>(kinds.map((kind) => [kind, new Set()]));
const receiving = new Set<Socket>();
let timer: NodeJS.Timeout | undefined;
let beganAt = 0;
let opened = noneOpened();
let turn = 0;
let bytes = 0;
let playersMax = 0;
let last = 0;

const block = Buffer.alloc(65_536, 7);

function noneOpened(): Record<NoiseKind, number> {
  return { bulk: 0, silent: 0, "half-open": 0, status: 0, raw: 0 };
}

function sendOn(socket: Socket): void {
  while (!socket.destroyed && socket.write(block));
}

async function listen(onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onSocket(socket);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return server;
}

/** The first bytes of a connection. */
function helloOf(kind: NoiseKind, port: number): Buffer {
  const host = kind === "silent" ? hosts.silent : hosts.bulk;
  const intent = kind === "status" ? "status" : "login";
  const handshake = encodeHandshake({ protocol, host, port, intent });
  if (kind === "half-open") return handshake;
  const next = kind === "status" ? statusRequest : encodeLoginStart(`Noise${last}`);
  return Buffer.concat([handshake, next]);
}

function openOne(kind: NoiseKind, host: string, port: number): void {
  last = (last + 1) % 60_000;
  opened[kind]++;
  const to = kind === "raw" ? ports.raw : port;
  const socket = connect({ host, port: to, localAddress: sourceAddress(network, last) });
  const all = open.get(kind);
  all?.add(socket);
  let heard = 0;
  socket.on("error", () => undefined);
  socket.on("close", () => {
    all?.delete(socket);
    receiving.delete(socket);
  });
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    heard += chunk.length;
    if (kind === "status") socket.end();
    // A kick is shorter.
    if (kind !== "bulk" || heard < block.length) return;
    receiving.add(socket);
    playersMax = Math.max(playersMax, receiving.size);
  });
  socket.on("end", () => socket.end());
  if (kind !== "raw") socket.write(helloOf(kind, port));
}

function begin(host: string, port: number): void {
  beganAt = performance.now();
  opened = noneOpened();
  bytes = playersMax = 0;
  let due = 0;
  timer = setInterval(() => {
    due = Math.min(due + (opensPerSecond * tickMs) / 1_000, opensPerSecond / 10);
    for (let idle = 0; due >= 1 && idle < order.length; idle++) {
      const kind = order[turn++ % order.length] ?? "bulk";
      if ((open.get(kind)?.size ?? 0) >= wanted[kind]) continue;
      openOne(kind, host, port);
      due--;
      idle = -1;
    }
  }, tickMs);
}

function rest(): void {
  clearInterval(timer);
  for (const all of open.values()) for (const socket of all) socket.destroy();
  const ms = performance.now() - beganAt;
  const result: NoiseResult = { kind: "rested", ms, opened, bytes, playersMax };
  process.send?.(result);
}

// It stands for other machines, and takes as little as it can from what is measured.
setPriority(19);
const [bulk, silent] = await Promise.all([
  listen((socket) => {
    socket.on("drain", () => sendOn(socket));
    socket.once("data", () => sendOn(socket));
    socket.resume();
  }),
  listen((socket) => void socket.resume()),
]);
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const ports: NoisePorts = {
  bulk: portOf(bulk),
  silent: portOf(silent),
  raw: await freePort(),
};
process.send?.({ kind: "listening", ports });
process.on("message", (order: NoiseOrder) => {
  if (order.do === "begin") begin(order.host, order.port);
  else rest();
});
process.on("disconnect", () => process.exit());
