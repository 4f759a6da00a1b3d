import { setTimeout as delay } from "node:timers/promises";
import {
  encodeOpenRequest1,
  encodePing,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { freePort } from "@palisade/testing/free-port";
import { cpuUsOfTree, rssBytesOfTree } from "@palisade/testing/process-stats";
import { startEdge } from "#src/edge/edge-program.ts";
import { bedrockShield } from "#src/edge/sample-shields.ts";
import { compilerMissing } from "#src/programs/compile.ts";
import { floodDatagrams } from "#src/programs/datagram-flood.ts";
import {
  connectClients,
  type DatagramClients,
  rakNetHeadBytes,
} from "#src/programs/datagram-load.ts";
import type { Program } from "#src/programs/program.ts";
import { startCUdpRelay } from "#src/programs/udp-relays.ts";
import type { Aim, Row } from "#src/report/row.ts";
import { median } from "#src/statistics/statistics.ts";
import type { Benchmark } from "./benchmark.ts";
import { compare, interleaved, type Measured, type RatioKind } from "./interleaved-rounds.ts";
import { workerNice } from "./isolation.ts";
import { relayed } from "./relay.ts";

interface Server {
  readonly name: string;
  readonly program: Program;
  readonly port: number;
  /** The flood's port: the C relay has a session for each pair of address and port. */
  readonly floodPort: number;
  readonly clients: DatagramClients;
}

interface Measurement {
  readonly datagramUs: number;
  /** Without what the program uses in the same time while nothing is sent. */
  readonly addedUs: number;
  readonly saturatedUs: number;
  readonly perSecond: number;
  readonly lostPercent: number;
  readonly echoMs: number;
  /** p99 of an echo beside the flood, minus that without it. */
  readonly addedByRequestsMs: number;
  readonly addedByPingsMs: number;
}

const ours = "edge";
const reference = "C";
const up = { ...relayed.up, bytes: relayed.up.bytes + rakNetHeadBytes };
const down = { ...relayed.down, bytes: relayed.down.bytes + rakNetHeadBytes };
const idleSessions = 10_000;
/** An idle session ends after 30 s, so its memory is read before. */
const idleSettleMs = 3_000;
/** Fewer datagrams of a source than the edge takes from one outside of a connection. */
const flood = { sources: 1_000, perSecond: 20_000 } as const;
const floods = {
  requests: encodeOpenRequest1(11, 548),
  pings: encodePing(1n, 2n),
} as const;
/** Both sides of a ratio count as this at least: less is noise. */
const addedMsMin = 0.1;
const costAim: Aim = { of: "ratio", is: "at most", limit: 1.2 };
const floodAim: Aim = { of: "ratio", is: "at most", limit: 1.3 };

/** The edge's path of Bedrock players, with all of its checks, beside a UDP relay in C. */
export const bedrockRelay: Benchmark = {
  name: "bedrock-relay",
  missing: compilerMissing ?? (process.getuid?.() === 0 ? undefined : "forged addresses need root"),
  async run({ rounds, seconds, say }) {
    say(`bedrock-relay: ${idleSessions} idle sessions of each server`);
    const idle = {
      edge: await perIdleSession(startEdgeFor),
      C: await perIdleSession(startReference),
    };
    say(`bedrock-relay: ${relayed.players} players of each server`);
    const servers: Server[] = [];
    try {
      servers.push(await startServer(ours, startEdgeFor));
      servers.push(await startServer(reference, startReference));
      const measurements = await interleaved(servers, rounds, (server) => measure(server, seconds));
      return [...rowsOf(measurements), idleRow(idle)];
    } finally {
      for (const { program, clients } of servers) {
        await clients.stop();
        await program.stop();
      }
    }
  },
};

type Starter = (port: number, backendPort: number) => Promise<Program>;

function startEdgeFor(port: number, backendPort: number): Promise<Program> {
  return startEdge([bedrockShield(port, backendPort)]);
}

/** At the priority of the edge's worker, which relays Bedrock. */
function startReference(port: number, backendPort: number): Promise<Program> {
  return startCUdpRelay(port, backendPort, workerNice);
}

async function startServer(
  name: string,
  start: Starter,
  count: number = relayed.players,
): Promise<Server> {
  const port = await freePort();
  const backendPort = await freePort();
  const program = await start(port, backendPort);
  const options = { isRakNet: true, isRealTime: true };
  const clients = await connectClients(count, port, backendPort, options);
  return { name, program, port, floodPort: await freePort(), clients };
}

async function measure(server: Server, seconds: number): Promise<Measurement> {
  const { program, clients } = server;
  const start = cpuUsOfTree(program.pid);
  const paced = await clients.packets(seconds, up, down);
  const between = cpuUsOfTree(program.pid);
  const saturated = await clients.saturate(seconds, up.bytes, down.bytes);
  const end = cpuUsOfTree(program.pid);
  await delay(seconds * 1_000);
  const idleUs = cpuUsOfTree(program.pid) - end;
  const quietMs = await echoMs(server, seconds);
  return {
    datagramUs: (between - start) / (paced.packets - paced.lost),
    addedUs: (between - start - idleUs) / (paced.packets - paced.lost),
    saturatedUs: (end - between) / (saturated.packets - saturated.lost),
    perSecond: (saturated.packets - saturated.lost) / saturated.seconds,
    lostPercent: (100 * (paced.lost + saturated.lost)) / (paced.packets + saturated.packets),
    echoMs: quietMs,
    addedByRequestsMs: (await floodedMs(server, floods.requests, seconds)) - quietMs,
    addedByPingsMs: (await floodedMs(server, floods.pings, seconds)) - quietMs,
  };
}

async function echoMs({ clients }: Server, seconds: number): Promise<number> {
  return (await clients.echoes(seconds, up)).p99_us / 1_000;
}

async function floodedMs(server: Server, datagram: Buffer, seconds: number): Promise<number> {
  const order = { ...flood, port: server.port, datagram: datagram.toString("hex") };
  // Longer, so that it lasts during the whole measurement, the start of its program included.
  const flooding = floodDatagrams({ ...order, seconds: seconds + 1.5 }, server.floodPort);
  await delay(1_000);
  const ms = await echoMs(server, seconds);
  const { sent, seconds: took } = await flooding;
  if (sent < 0.5 * took * flood.perSecond) throw new Error(`the flood sent only ${sent} datagrams`);
  return ms;
}

function rowsOf(measurements: ReadonlyMap<string, readonly Measurement[]>): Row[] {
  const values = (server: string, key: keyof Measurement): number[] =>
    (measurements.get(server) ?? []).map((each) => each[key]);
  const row = (measure: string, unit: string, key: keyof Measurement, kind: RatioKind): Row => {
    const measured: Measured = { [ours]: values(ours, key), [reference]: values(reference, key) };
    return {
      benchmark: "bedrock-relay",
      measure,
      unit,
      ...compare(measured, ours, reference, kind),
    };
  };
  const added = (measure: string, key: "addedByRequestsMs" | "addedByPingsMs"): Row => {
    const addedMs = (server: string): number => Math.max(addedMsMin, median(values(server, key)));
    return {
      ...row(measure, "ms", key, "cost"),
      ratio: { to: reference, value: addedMs(ours) / addedMs(reference) },
      aim: floodAim,
      note: `${flood.perSecond}/s from ${flood.sources} addresses on the server's core, beside the players' echoes`,
    };
  };
  // It is usually 0, so a ratio of it means nothing.
  const { ratio: _ratio, ...lost } = row("lost datagrams", "%", "lostPercent", "cost");
  const perSecond = up.perSecond + down.perSecond;
  return [
    {
      ...row("CPU of a datagram", "µs", "datagramUs", "cost"),
      aim: costAim,
      note: `${relayed.players} players, ${perSecond} datagrams/s each, of ${up.bytes} and ${down.bytes} bytes`,
    },
    row("CPU of a datagram, idle CPU taken off", "µs", "addedUs", "cost"),
    {
      ...row("CPU of a datagram, saturated", "µs", "saturatedUs", "cost"),
      aim: costAim,
      note: "one datagram of each player and direction is always under way",
    },
    row("datagrams on one core", "/s", "perSecond", "pace"),
    { ...lost, note: "no room in a buffer of the kernel" },
    row("echo, p99 without a flood", "ms", "echoMs", "cost"),
    added("echo, p99 added by first requests", "addedByRequestsMs"),
    added("echo, p99 added by pings", "addedByPingsMs"),
  ];
}

/** Growth of resident memory by one session. */
async function perIdleSession(start: Starter): Promise<number> {
  // The first sessions compile code.
  const port = await freePort();
  const backendPort = await freePort();
  const program = await start(port, backendPort);
  const options = { isRakNet: true };
  try {
    const first = await connectClients(relayed.players, port, backendPort, options);
    await first.packets(1, up, down);
    await first.stop();
    const before = rssBytesOfTree(program.pid);
    const clients = await connectClients(idleSessions, port, backendPort, options);
    await delay(idleSettleMs);
    const after = rssBytesOfTree(program.pid);
    await clients.stop();
    return (after - before) / idleSessions;
  } finally {
    await program.stop();
  }
}

function idleRow({ edge, C }: { readonly edge: number; readonly C: number }): Row {
  return {
    benchmark: "bedrock-relay",
    measure: "idle session",
    unit: "KB",
    value: edge / 1_024,
    others: { [reference]: C / 1_024 },
    note: `of ${idleSessions}, in all processes of the edge together; the C relay has a table for 16,384 from its start`,
  };
}
