import { freePort } from "@palisade/testing/free-port";
import { cpuUsOfTree } from "@palisade/testing/process-stats";
import { compilerMissing } from "#src/programs/compile.ts";
import { connectClients, type DatagramClients } from "#src/programs/datagram-load.ts";
import type { Program } from "#src/programs/program.ts";
import { startCUdpRelay, startUdpRelay } from "#src/programs/udp-relays.ts";
import type { Aim, Row } from "#src/report/row.ts";
import type { Benchmark } from "./benchmark.ts";
import { compare, interleaved, type Measured, type RatioKind } from "./interleaved-rounds.ts";
import { relayed } from "./relay.ts";

interface Server {
  readonly name: string;
  readonly program: Program;
  readonly clients: DatagramClients;
}

interface Measurement {
  readonly datagramUs: number;
  readonly saturatedUs: number;
  readonly perSecond: number;
  readonly lostPercent: number;
}

const ours = "palisade";
const reference = "C";
const aim: Aim = { of: "ratio", is: "at most", limit: 1.15 };

/** A UDP relay in TypeScript on packages/sockets beside one in C, both without the edge's checks. */
export const udp: Benchmark = {
  name: "udp",
  missing: compilerMissing,
  async run({ rounds, seconds, say }) {
    say(`udp: ${relayed.players} clients of each relay`);
    const servers: Server[] = [];
    try {
      servers.push(await startServer(ours, startUdpRelay));
      servers.push(await startServer(reference, startCUdpRelay));
      const measurements = await interleaved(servers, rounds, (server) => measure(server, seconds));
      return rowsOf(measurements);
    } finally {
      for (const { program, clients } of servers) {
        await clients.stop();
        await program.stop();
      }
    }
  },
};

async function startServer(name: string, start: typeof startUdpRelay): Promise<Server> {
  const port = await freePort();
  const backendPort = await freePort();
  const program = await start(port, backendPort);
  return { name, program, clients: await connectClients(relayed.players, port, backendPort) };
}

async function measure({ program, clients }: Server, seconds: number): Promise<Measurement> {
  const start = cpuUsOfTree(program.pid);
  const paced = await clients.packets(seconds, relayed.up, relayed.down);
  const between = cpuUsOfTree(program.pid);
  const saturated = await clients.saturate(seconds, relayed.up.bytes, relayed.down.bytes);
  const end = cpuUsOfTree(program.pid);
  return {
    datagramUs: (between - start) / (paced.packets - paced.lost),
    saturatedUs: (end - between) / (saturated.packets - saturated.lost),
    perSecond: (saturated.packets - saturated.lost) / saturated.seconds,
    lostPercent: (100 * (paced.lost + saturated.lost)) / (paced.packets + saturated.packets),
  };
}

function rowsOf(measurements: ReadonlyMap<string, readonly Measurement[]>): Row[] {
  const row = (measure: string, unit: string, key: keyof Measurement, kind: RatioKind): Row => {
    const measured: Measured = Object.fromEntries(
      [...measurements].map(([server, rounds]) => [server, rounds.map((round) => round[key])]),
    );
    return { benchmark: "udp", measure, unit, ...compare(measured, ours, reference, kind) };
  };
  // It is usually 0, so a ratio of it means nothing.
  const { ratio: _ratio, ...lost } = row("lost datagrams", "%", "lostPercent", "cost");
  const { players, up, down } = relayed;
  return [
    {
      ...row("CPU of a datagram", "µs", "datagramUs", "cost"),
      aim,
      note: `${players} clients, ${up.perSecond + down.perSecond} datagrams/s each, of ${up.bytes} and ${down.bytes} bytes`,
    },
    {
      ...row("CPU of a datagram, saturated", "µs", "saturatedUs", "cost"),
      aim,
      note: "one datagram of each client and direction is always under way",
    },
    row("datagrams on one core", "/s", "perSecond", "pace"),
    { ...lost, note: "no room in a buffer of the kernel" },
  ];
}
