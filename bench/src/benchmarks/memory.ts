import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { benchShields, refusalPacket } from "#src/edge/sample-shields.ts";
import { startEdge } from "#src/edge/edge-program.ts";
import { statusAnswer } from "#src/edge/status-backend.ts";
import { freePort } from "@palisade/testing/free-port";
import { rssBytesOf, rssBytesOfTree } from "@palisade/testing/process-stats";
import { compilerMissing } from "#src/programs/compile.ts";
import { haproxyMissing, startHaproxy } from "#src/programs/haproxy.ts";
import { runExchanges } from "#src/programs/exchange-load.ts";
import { joinPlayers } from "#src/programs/players-load.ts";
import type { Program } from "#src/programs/program.ts";
import type { Row } from "#src/report/row.ts";
import { exchanges } from "./answers.ts";
import type { Benchmark } from "./benchmark.ts";

/** Each has two sockets; the usual limit of open files is 20,000. */
const playersCount = 5_000;
/** Fewer than the edge accepts without a verdict. */
const silentCount = 5_000;
/** Wait after the last join, so that memory used only for joining can be freed. */
const settleMs = 3_000;

/** Memory of an idle connection. */
export const memory: Benchmark = {
  name: "memory",
  missing: compilerMissing,
  async run({ say, against }) {
    say(`memory: ${playersCount} idle players`);
    const player = await perPlayer(startEdgeFor, refuseMany);
    const others: Record<string, number> = {};
    if (haproxyMissing === undefined) others["HAProxy"] = (await perPlayer(startHaproxyFor)).all;
    if (against !== undefined) {
      const startBefore: Starter = (port) => startEdge(benchShields(port), { from: against });
      others["before"] = (await perPlayer(startBefore, refuseMany)).all;
    }
    say(`memory: ${silentCount} connections that send nothing`);
    const silent = await perSilentConnection();
    const perConnection = (bytes: number): number => bytes / 2 / 1_024;
    return [
      {
        benchmark: "memory",
        measure: "idle connection of a player",
        unit: "KB",
        value: perConnection(player.all),
        others: Object.fromEntries(
          Object.entries(others).map(([name, bytes]) => [name, perConnection(bytes)]),
        ),
        aim: { of: "value", is: "at most", limit: 8 },
        note: `of ${2 * playersCount}: a player has one to the edge and one to the backend`,
      },
      {
        benchmark: "memory",
        measure: "the same in relay processes alone",
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

/** Bytes per player. */
interface Growth {
  readonly all: number;
  /** In the child processes of the program. */
  readonly relays: number;
}

type Starter = (backendPort: number) => Promise<Program & { readonly port: number }>;

const startEdgeFor: Starter = (backendPort) => startEdge(benchShields(backendPort));

const startHaproxyFor: Starter = async (backendPort) => {
  const kick = refusalPacket("00000000");
  const program = await startHaproxy({ statusAnswer, kick, backendPort });
  return { ...program, port: program.relayPort };
};

/** Under load the young generation grows to its final size. */
async function refuseMany(port: number): Promise<void> {
  await runExchanges(port, exchanges.kick, 2);
}

/** Growth of resident memory by idle players. */
async function perPlayer(
  start: Starter,
  warmUp: (port: number) => Promise<void> = async () => undefined,
): Promise<Growth> {
  const backendPort = await freePort();
  const program = await start(backendPort);
  try {
    // The first connections compile code and fill pools.
    await warmUp(program.port);
    await (await joinPlayers(100, program.port, backendPort)).stop();
    await delay(settleMs / 3);
    const before = rssBytesOfTree(program.pid);
    const ownBefore = rssBytesOf(program.pid);
    const players = await joinPlayers(playersCount, program.port, backendPort);
    await delay(settleMs);
    const all = (rssBytesOfTree(program.pid) - before) / playersCount;
    const own = (rssBytesOf(program.pid) - ownBefore) / playersCount;
    await players.stop();
    return { all, relays: all - own };
  } finally {
    await program.stop();
  }
}

async function perSilentConnection(): Promise<number> {
  const program = await startEdgeFor(await freePort());
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
