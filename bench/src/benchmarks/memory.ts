import { copyFile, mkdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { benchShields, refusalPacket, requests, secondShield } from "#src/edge/sample-shields.ts";
import { type EdgeOptions, startEdge } from "#src/edge/edge-program.ts";
import { statusAnswer } from "#src/edge/status-backend.ts";
import { freePort } from "@palisade/testing/free-port";
import { pssBytesOfTree, rssBytesOf, rssBytesOfTree } from "@palisade/testing/process-stats";
import { openFilesMax } from "#src/machine/open-files.ts";
import { compilerMissing } from "#src/programs/compile.ts";
import { haproxyConnectionsMax, haproxyMissing, startHaproxy } from "#src/programs/haproxy.ts";
import { cacheFolder } from "#src/paths.ts";
import { runExchanges } from "#src/programs/exchange-load.ts";
import { joinPlayers, type Players } from "#src/programs/players-load.ts";
import type { Program } from "#src/programs/program.ts";
import type { Row } from "#src/report/row.ts";
import { exchanges } from "./answers.ts";
import type { Benchmark } from "./benchmark.ts";

/**
 * Half of them play on a second shield, as a process of the load has two open files per player. A low limit
 * of open files makes them fewer: one relay process takes them all, as it does with the limit of the edge's
 * service. Close to that limit the edge starts another process, with all that Node needs.
 */
const playersCount = 2 * Math.floor(Math.min(10_000, openFilesMax * 0.35) / 2);
/** HAProxy has all its connections in one process, which may not be permitted that many. */
const haproxyPlayers = 2 * Math.floor(Math.min(playersCount, haproxyConnectionsMax - 200) / 2);
/** The first players of each shield: an edge that has never tried a backend connects few at once. */
const firstPlayers = 50;
/** Fewer than the edge accepts without a verdict. */
const silentCount = 5_000;
/** Wait after the last join, so that memory used only for joining can be freed. */
const settleMs = 3_000;

/** Memory of an idle connection. */
export const memory: Benchmark = {
  name: "memory",
  missing: compilerMissing,
  async run({ say, against }) {
    say("memory: an edge with one shield");
    const whole = await wholeEdge();
    say(`memory: ${playersCount} idle players`);
    const player = await perPlayer(startEdgeFor(), playersCount, refuseMany);
    const others: Record<string, number> = {};
    if (haproxyMissing === undefined) {
      others["HAProxy"] = (await perPlayer(startHaproxyFor, haproxyPlayers)).all;
    }
    if (against !== undefined) {
      const before = startEdgeFor({ from: against });
      others["before"] = (await perPlayer(before, playersCount, refuseMany)).all;
    }
    say(`memory: ${silentCount} connections that send nothing`);
    const silent = await perSilentConnection();
    const perConnection = (bytes: number): number => bytes / 2 / 1_024;
    return [
      {
        benchmark: "memory",
        measure: "whole edge with one shield",
        unit: "MB",
        value: whole.pssBytes / 1e6,
        aim: { of: "value", is: "at most", limit: 150 },
        note: "main thread, one worker thread, relay process and socket holder; pages that they share count once",
      },
      {
        benchmark: "memory",
        measure: "the same, as the sum of RSS",
        unit: "MB",
        value: whole.rssBytes / 1e6,
        note: "counts Node's program three times",
      },
      {
        benchmark: "memory",
        measure: "idle connection of a player",
        unit: "KB",
        value: perConnection(player.all),
        others: Object.fromEntries(
          Object.entries(others).map(([name, bytes]) => [name, perConnection(bytes)]),
        ),
        note: `of ${2 * playersCount}: a player has one to the edge and one to the backend`,
      },
      {
        benchmark: "memory",
        measure: "idle player",
        unit: "KB",
        value: player.all / 1_024,
        others: Object.fromEntries(
          Object.entries(others).map(([name, bytes]) => [name, bytes / 1_024]),
        ),
        aim: { of: "value", is: "at most", limit: 3.3 },
        note: `of ${playersCount} (HAProxy ${haproxyPlayers}), in all processes of the edge together`,
      },
      {
        benchmark: "memory",
        measure: "idle connection in relay processes alone",
        unit: "KB",
        value: perConnection(player.relays),
        note: "the rest stays in the worker after joining, and later joins reuse it",
      },
      {
        benchmark: "memory",
        measure: "connection that says nothing",
        unit: "KB",
        value: silent / 1_024,
        aim: { of: "value", is: "at most", limit: 10 },
        note: `of ${silentCount}, before their deadline`,
      },
    ] satisfies Row[];
  },
};

interface WholeEdge {
  readonly pssBytes: number;
  readonly rssBytes: number;
}

/** Bytes of all its processes, after a start with compiled code from the cache. */
async function wholeEdge(): Promise<WholeEdge> {
  const shields = benchShields(await freePort()).slice(0, 1);
  // Pages of a program that others run as well would count in part.
  const node = path.join(cacheFolder, "node");
  await mkdir(cacheFolder, { recursive: true });
  await copyFile(process.execPath, node);
  await (await startEdge(shields, { node })).stop();
  const edge = await startEdge(shields, { node });
  try {
    await delay(settleMs);
    return { pssBytes: pssBytesOfTree(edge.pid), rssBytes: rssBytesOfTree(edge.pid) };
  } finally {
    await edge.stop();
  }
}

/** Bytes per player. */
interface Growth {
  readonly all: number;
  /** In the child processes of the program. */
  readonly relays: number;
}

/** The ports of both shields' backends. */
interface BackendPorts {
  readonly first: number;
  readonly second: number;
}

interface Server extends Program {
  /** The players of each shield log in there. */
  readonly ports: BackendPorts;
}

type Starter = (backends: BackendPorts) => Promise<Server>;

function startEdgeFor(options: EdgeOptions = {}): Starter {
  return async ({ first, second }) => {
    const edge = await startEdge([...benchShields(first), secondShield(second)], options);
    return { ...edge, ports: { first: edge.port, second: edge.port } };
  };
}

const startHaproxyFor: Starter = async ({ first, second }) => {
  const kick = refusalPacket("00000000");
  const options = { statusAnswer, kick, backendPort: first, secondBackendPort: second };
  const program = await startHaproxy(options);
  return { ...program, ports: { first: program.relayPort, second: program.secondRelayPort } };
};

/** Under load the young generation grows to its final size. */
async function refuseMany(port: number): Promise<void> {
  await runExchanges(port, exchanges.kick, 2);
}

/** Growth of resident memory by idle players. */
async function perPlayer(
  start: Starter,
  count: number,
  warmUp: (port: number) => Promise<void> = async () => undefined,
): Promise<Growth> {
  const backends = { first: await freePort(), second: await freePort() };
  const program = await start(backends);
  const { ports } = program;
  // Both at once, so that no backend is away for long enough to count as down.
  const join = async (each: number): Promise<Players[]> =>
    Promise.all([
      joinPlayers(each, ports.first, backends.first),
      joinPlayers(each, ports.second, backends.second, requests.secondLogin),
    ]);
  try {
    // The first connections compile code and fill pools.
    await warmUp(ports.first);
    for (const players of await join(firstPlayers)) await players.stop();
    await delay(settleMs / 3);
    const before = rssBytesOfTree(program.pid);
    const ownBefore = rssBytesOf(program.pid);
    const all = await join(count / 2);
    await delay(settleMs);
    const grown = (rssBytesOfTree(program.pid) - before) / count;
    const own = (rssBytesOf(program.pid) - ownBefore) / count;
    for (const players of all) await players.stop();
    return { all: grown, relays: grown - own };
  } finally {
    await program.stop();
  }
}

async function perSilentConnection(): Promise<number> {
  const program = await startEdge(benchShields(await freePort()));
  const sockets: Socket[] = [];
  try {
    await openSilent(program.port, 100, sockets);
    await delay(settleMs / 3);
    const before = rssBytesOfTree(program.pid);
    await openSilent(program.port, silentCount, sockets);
    return (rssBytesOfTree(program.pid) - before) / silentCount;
  } finally {
    for (const socket of sockets) socket.destroy();
    await program.stop();
  }
}

/** The edge limits the open connections of one address without a verdict. */
const perAddress = 50;

async function openSilent(port: number, count: number, sockets: Socket[]): Promise<void> {
  const opened = Array.from({ length: count }, async (_, n) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const source = Math.floor((sockets.length + n) / perAddress);
    const localAddress = `127.9.${source >> 8}.${(source & 255) + 1}`;
    const socket = connect({ host: "127.0.0.1", port, localAddress });
    socket.once("connect", resolve);
    socket.on("error", reject);
    sockets.push(socket);
    await promise;
  });
  await Promise.all(opened);
}
