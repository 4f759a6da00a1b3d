import { benchShields, refusalPacket } from "#src/edge/sample-shields.ts";
import { startEdge } from "#src/edge/edge-program.ts";
import { statusAnswer } from "#src/edge/status-backend.ts";
import { freePort } from "@palisade/testing/free-port";
import { runQueueWaitMsOf, cpuUsOfTree } from "@palisade/testing/process-stats";
import { startCRelay } from "#src/programs/c-relay.ts";
import { compilerMissing } from "#src/programs/compile.ts";
import { haproxyMissing, startHaproxy } from "#src/programs/haproxy.ts";
import { joinPlayers, type Players } from "#src/programs/players-load.ts";
import type { Program } from "#src/programs/program.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";
import { compare, interleaved, type Measured, type RatioKind } from "./interleaved-rounds.ts";

/** 60 packets per player and second, as in the game: few and small ones up, most of them down. */
export const relayed = {
  players: 500,
  up: { perSecond: 20, bytes: 30 },
  down: { perSecond: 40, bytes: 90 },
} as const;
const downloads = 8;

interface Server {
  readonly name: string;
  readonly program: Program;
  readonly players: Players;
}

interface Measurement {
  readonly packetUs: number;
  readonly delayMs: number;
  readonly awaitedPercent: number;
  readonly saturatedUs: number;
  readonly packetsPerSecond: number;
  readonly gigabyteMs: number;
  readonly megabytesPerSecond: number;
}

const ours = "palisade";
const reference = "HAProxy";
/** The least a relay can cost. */
const least = "C";

/** The cost of relaying packets. Every byte is checked at the other end. */
export const relay: Benchmark = {
  name: "relay",
  missing: compilerMissing,
  async run(options) {
    options.say(`relay: ${relayed.players} players join each server`);
    const servers = await startServers(options);
    try {
      options.say("relay: packets, saturation and bulk");
      const measurements = await interleaved(servers, options.rounds, (server) =>
        measure(server, options.seconds),
      );
      return rowsOf(measurements);
    } finally {
      for (const { program, players } of servers) {
        await players.stop();
        await program.stop();
      }
    }
  },
};

async function startServers({ against }: BenchmarkOptions): Promise<Server[]> {
  const servers: Server[] = [];
  const add = async (name: string, from?: string): Promise<void> => {
    const backendPort = await freePort();
    const program = await startEdge(benchShields(backendPort), from === undefined ? {} : { from });
    const players = await joinPlayers(relayed.players, program.port, backendPort);
    servers.push({ name, program, players });
  };
  await add(ours);
  const backendPort = await freePort();
  const program = await startCRelay(backendPort);
  const players = await joinPlayers(relayed.players, program.port, backendPort);
  servers.push({ name: least, program, players });
  if (haproxyMissing === undefined) {
    const backendPort = await freePort();
    const kick = refusalPacket("00000000");
    const program = await startHaproxy({ statusAnswer, kick, backendPort });
    const players = await joinPlayers(relayed.players, program.relayPort, backendPort);
    servers.push({ name: reference, program, players });
  }
  if (against !== undefined) await add("before", against);
  return servers;
}

async function measure({ program, players }: Server, seconds: number): Promise<Measurement> {
  const awaited = (): number => runQueueWaitMsOf(program.pid) + runQueueWaitMsOf(players.pid);
  const start = cpuUsOfTree(program.pid);
  const awaitedBefore = awaited();
  const packets = await players.packets(seconds, relayed.up, relayed.down);
  const awaitedMs = awaited() - awaitedBefore;
  const saturatedFrom = cpuUsOfTree(program.pid);
  const saturated = await players.saturate(seconds, relayed.up.bytes, relayed.down.bytes);
  const bulkFrom = cpuUsOfTree(program.pid);
  const bulk = await players.bulk(seconds, downloads);
  const end = cpuUsOfTree(program.pid);
  return {
    packetUs: (saturatedFrom - start) / packets.packets,
    delayMs: packets.p99_us / 1_000,
    awaitedPercent: awaitedMs / 10 / packets.seconds,
    saturatedUs: (bulkFrom - saturatedFrom) / saturated.packets,
    packetsPerSecond: saturated.packets / saturated.seconds,
    gigabyteMs: (end - bulkFrom) / 1_000 / (bulk.bytes / 1e9),
    megabytesPerSecond: bulk.bytes / 1e6 / bulk.seconds,
  };
}

function rowsOf(measurements: ReadonlyMap<string, readonly Measurement[]>): Row[] {
  const row = (
    measure: string,
    unit: string,
    key: keyof Measurement,
    kind: RatioKind,
    to = reference,
  ): Row => {
    const measured: Measured = Object.fromEntries(
      [...measurements].map(([server, rounds]) => [server, rounds.map((round) => round[key])]),
    );
    return { benchmark: "relay", measure, unit, ...compare(measured, ours, to, kind) };
  };
  // It is 0 on an idle machine, so a ratio of it means nothing.
  const { ratio: _ratio, ...awaited } = row("without a core", "%", "awaitedPercent", "cost");
  return [
    {
      ...row("CPU of a packet", "µs", "packetUs", "cost"),
      aim: { of: "ratio", is: "at most", limit: 0.9 },
      note: `${relayed.players} players, ${relayed.up.perSecond + relayed.down.perSecond} packets/s each`,
    },
    row("CPU of a packet, to C", "µs", "packetUs", "cost", least),
    { ...row("packet, p99 from end to end", "ms", "delayMs", "cost") },
    {
      ...awaited,
      note: "server and load together; above a few percent other programs cause the p99",
    },
    {
      ...row("CPU of a packet, saturated", "µs", "saturatedUs", "cost", least),
      note: "one packet of each player and direction is always under way",
    },
    {
      ...row("packets on one core", "/s", "packetsPerSecond", "pace"),
      aim: { of: "ratio", is: "at least", limit: 1 },
    },
    row("packets on one core, to C", "/s", "packetsPerSecond", "pace", least),
    {
      ...row("CPU of a gigabyte", "ms", "gigabyteMs", "cost"),
      aim: { of: "ratio", is: "at most", limit: 0.5 },
      note: `${downloads} downloads`,
    },
    row("bulk on one core", "MB/s", "megabytesPerSecond", "pace"),
  ];
}
