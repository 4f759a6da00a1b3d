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
import {
  closeRounds,
  compare,
  interleaved,
  type Measured,
  type RatioKind,
  valuesOf,
} from "./interleaved-rounds.ts";

/** 60 packets per player and second, as in the game: few and small ones up, most of them down. */
export const relayed = {
  players: 500,
  up: { perSecond: 20, bytes: 30 },
  down: { perSecond: 40, bytes: 90 },
} as const;
const downloads = 8;
/** Before a saturation is measured: the edge notices within this time that its relay fills a core. */
const leadSeconds = 1;

interface Server {
  readonly name: string;
  readonly program: Program;
  readonly players: Players;
}

/** At the pace of the game. */
interface Packets {
  readonly packetUs: number;
  readonly delayMs: number;
  readonly awaitedPercent: number;
}

interface Saturation {
  readonly packetUs: number;
  readonly perSecond: number;
}

interface Bulk {
  readonly gigabyteMs: number;
  readonly megabytesPerSecond: number;
}

interface Measurements {
  readonly packets: ReadonlyMap<string, readonly Packets[]>;
  readonly saturation: ReadonlyMap<string, readonly Saturation[]>;
  readonly bulk: ReadonlyMap<string, readonly Bulk[]>;
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
    const { rounds, seconds, say } = options;
    say(`relay: ${relayed.players} players join each server`);
    const servers = await startServers(options);
    try {
      say("relay: packets");
      const packets = await interleaved(servers, closeRounds * rounds, (server) =>
        measurePackets(server, seconds),
      );
      say("relay: saturation");
      const saturation = await interleaved(servers, closeRounds * rounds, (server) =>
        measureSaturation(server, seconds),
      );
      say("relay: bulk");
      const bulk = await interleaved(servers, rounds, (server) => measureBulk(server, seconds));
      return rowsOf({ packets, saturation, bulk });
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

async function measurePackets({ program, players }: Server, seconds: number): Promise<Packets> {
  const awaited = (): number => runQueueWaitMsOf(program.pid) + runQueueWaitMsOf(players.pid);
  const cpuBefore = cpuUsOfTree(program.pid);
  const awaitedBefore = awaited();
  const result = await players.packets(seconds, relayed.up, relayed.down);
  return {
    packetUs: (cpuUsOfTree(program.pid) - cpuBefore) / result.packets,
    delayMs: result.p99_us / 1_000,
    awaitedPercent: (awaited() - awaitedBefore) / 10 / result.seconds,
  };
}

async function measureSaturation(
  { program, players }: Server,
  seconds: number,
): Promise<Saturation> {
  await players.saturate(leadSeconds, relayed.up.bytes, relayed.down.bytes);
  const cpuBefore = cpuUsOfTree(program.pid);
  const result = await players.saturate(seconds, relayed.up.bytes, relayed.down.bytes);
  return {
    packetUs: (cpuUsOfTree(program.pid) - cpuBefore) / result.packets,
    perSecond: result.packets / result.seconds,
  };
}

async function measureBulk({ program, players }: Server, seconds: number): Promise<Bulk> {
  const cpuBefore = cpuUsOfTree(program.pid);
  const result = await players.bulk(seconds, downloads);
  return {
    gigabyteMs: (cpuUsOfTree(program.pid) - cpuBefore) / 1_000 / (result.bytes / 1e9),
    megabytesPerSecond: result.bytes / 1e6 / result.seconds,
  };
}

function rowsOf({ packets, saturation, bulk }: Measurements): Row[] {
  const row = (
    measure: string,
    unit: string,
    measured: Measured,
    kind: RatioKind,
    to = reference,
  ): Row => ({ benchmark: "relay", measure, unit, ...compare(measured, ours, to, kind) });
  const packetUs = valuesOf(packets, (round) => round.packetUs);
  const delayMs = valuesOf(packets, (round) => round.delayMs);
  const awaitedPercent = valuesOf(packets, (round) => round.awaitedPercent);
  const saturatedUs = valuesOf(saturation, (round) => round.packetUs);
  const perSecond = valuesOf(saturation, (round) => round.perSecond);
  const gigabyteMs = valuesOf(bulk, (round) => round.gigabyteMs);
  const megabytes = valuesOf(bulk, (round) => round.megabytesPerSecond);
  // It is 0 on an idle machine, so a ratio of it means nothing.
  const { ratio: _ratio, ...awaited } = row("without a core", "%", awaitedPercent, "cost");
  return [
    {
      ...row("CPU of a packet", "µs", packetUs, "cost"),
      aim: { of: "ratio", is: "at most", limit: 0.9 },
      note: `${relayed.players} players, ${relayed.up.perSecond + relayed.down.perSecond} packets/s each`,
    },
    row("CPU of a packet, to C", "µs", packetUs, "cost", least),
    row("packet, p99 from end to end", "ms", delayMs, "cost"),
    {
      ...awaited,
      note: "server and load together; above a few percent other programs cause the p99",
    },
    {
      ...row("CPU of a packet, saturated", "µs", saturatedUs, "cost", least),
      note: "one packet of each player and direction is always under way",
    },
    {
      ...row("packets on one core", "/s", perSecond, "pace"),
      aim: { of: "ratio", is: "at least", limit: 1 },
    },
    row("packets on one core, to C", "/s", perSecond, "pace", least),
    {
      ...row("CPU of a gigabyte", "ms", gigabyteMs, "cost"),
      aim: { of: "ratio", is: "at most", limit: 0.5 },
      note: `${downloads} downloads`,
    },
    row("bulk on one core", "MB/s", megabytes, "pace"),
  ];
}
