import { freePort } from "@palisade/testing/free-port";
import { cpuUsOfTree } from "@palisade/testing/process-stats";
import { compilerMissing } from "#src/programs/compile.ts";
import {
  connectClients,
  type DatagramClients,
  type DatagramOutcome,
} from "#src/programs/datagram-load.ts";
import type { Program } from "#src/programs/program.ts";
import { startCUdpRelay, startUdpRelay } from "#src/programs/udp-relays.ts";
import type { Aim, Row } from "#src/report/row.ts";
import type { Benchmark } from "./benchmark.ts";
import {
  closeRounds,
  compare,
  interleaved,
  type Measured,
  type RatioKind,
  valuesOf,
} from "./interleaved-rounds.ts";
import { relayed } from "./relay.ts";

interface Server {
  readonly name: string;
  readonly program: Program;
  readonly clients: DatagramClients;
}

interface Measurement {
  readonly datagramUs: number;
  readonly perSecond: number;
  readonly lostPercent: number;
}

type Measurements = ReadonlyMap<string, readonly Measurement[]>;

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
      const paced = await interleaved(servers, closeRounds * rounds, (server) =>
        measure(server, ({ clients }) => clients.packets(seconds, relayed.up, relayed.down)),
      );
      const saturated = await interleaved(servers, closeRounds * rounds, (server) =>
        measure(server, ({ clients }) =>
          clients.saturate(seconds, relayed.up.bytes, relayed.down.bytes),
        ),
      );
      return rowsOf({ paced, saturated });
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

async function measure(
  server: Server,
  exchange: (server: Server) => Promise<DatagramOutcome>,
): Promise<Measurement> {
  const { pid } = server.program;
  const cpuBefore = cpuUsOfTree(pid);
  const { packets, lost, seconds } = await exchange(server);
  const arrived = packets - lost;
  return {
    datagramUs: (cpuUsOfTree(pid) - cpuBefore) / arrived,
    perSecond: arrived / seconds,
    lostPercent: (100 * lost) / packets,
  };
}

interface Loads {
  readonly paced: Measurements;
  readonly saturated: Measurements;
}

function rowsOf({ paced, saturated }: Loads): Row[] {
  const row = (measure: string, unit: string, measured: Measured, kind: RatioKind): Row => ({
    benchmark: "udp",
    measure,
    unit,
    ...compare(measured, ours, reference, kind),
  });
  const cpu = (of: Measurements): Measured => valuesOf(of, ({ datagramUs }) => datagramUs);
  const perSecond = valuesOf(saturated, (round) => round.perSecond);
  const lostPercent = valuesOf(saturated, (round) => round.lostPercent);
  // It is usually 0, so a ratio of it means nothing.
  const { ratio: _ratio, ...lost } = row("lost datagrams, saturated", "%", lostPercent, "cost");
  const { players, up, down } = relayed;
  return [
    {
      ...row("CPU of a datagram", "µs", cpu(paced), "cost"),
      aim,
      note: `${players} clients, ${up.perSecond + down.perSecond} datagrams/s each, of ${up.bytes} and ${down.bytes} bytes`,
    },
    {
      ...row("CPU of a datagram, saturated", "µs", cpu(saturated), "cost"),
      aim,
      note: "one datagram of each client and direction is always under way",
    },
    row("datagrams on one core", "/s", perSecond, "pace"),
    { ...lost, note: "no room in a buffer of the kernel" },
  ];
}
