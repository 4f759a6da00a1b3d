import { encodePong } from "@palisade/minecraft-protocol/java/status";
import { benchShields, refusalPacket, requests } from "#src/edge/sample-shields.ts";
import { startEdge } from "#src/edge/edge-program.ts";
import { startStatusBackend, statusAnswer } from "#src/edge/status-backend.ts";
import { cpuUsOfTree } from "@palisade/testing/process-stats";
import { compilerMissing } from "#src/programs/compile.ts";
import { type Exchange, runExchanges } from "#src/programs/exchange-load.ts";
import { haproxyMissing, startHaproxy } from "#src/programs/haproxy.ts";
import type { Program } from "#src/programs/program.ts";
import { startResponder } from "#src/programs/responder.ts";
import type { Aim, Row } from "#src/report/row.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";
import { compare, interleaved, type Measured } from "./interleaved-rounds.ts";

const pingPayload = Buffer.from("0123456789abcdef", "hex");
const ping = encodePong(pingPayload).toString("hex");
const traceMark = "@@@@@@@@";
const status = { send: requests.status.toString("hex"), expect: statusAnswer.toString("hex") };

export const exchanges = {
  /** Like crawlers and floods. */
  status: { name: "status", steps: [status], closes: "client" },
  /** Like the game's server list. */
  ping: {
    name: "status and ping",
    steps: [status, { send: ping, expect: ping }],
    closes: "server",
  },
  kick: {
    name: "kick",
    steps: [
      {
        send: requests.refused.toString("hex"),
        expect: refusalPacket(traceMark)
          .toString("hex")
          .replace(Buffer.from(traceMark).toString("hex"), "..".repeat(traceMark.length)),
      },
    ],
    closes: "server",
  },
} satisfies Record<string, Exchange>;

interface Server {
  readonly name: string;
  readonly program: Program;
  readonly ports: Readonly<Record<keyof typeof exchanges, number>>;
}

interface Measurement {
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly p99Ms: number;
}

const ours = "palisade";
const reference = "C";
/** HAProxy answers through a Lua service. */
const luaServer = "HAProxy";
/** Times the C responder's CPU, at most. */
const cpuMax: Readonly<Record<string, number>> = { "status and ping": 1.3, kick: 1.35 };
/** Times the C responder's p99, at most. */
const p99Max = 1.5;

/** Pings and kicks: the cost of one, and how many one core answers. */
export const answers: Benchmark = {
  name: "answers",
  missing: compilerMissing,
  async run(options) {
    const backend = await startStatusBackend();
    const servers = await startServers(backend.port, options);
    try {
      const rows: Row[] = [];
      for (const [key, exchange] of Object.entries(exchanges)) {
        const port = ({ ports }: Server): number => ports[key as keyof typeof exchanges];
        options.say(`answers: ${exchange.name}`);
        const measurements = await interleaved(servers, options.rounds, (server) =>
          measure(server, port(server), exchange, options.seconds),
        );
        rows.push(...rowsOf(exchange, measurements));
      }
      return rows;
    } finally {
      for (const { program } of servers) await program.stop();
      backend.stop();
    }
  },
};

async function startServers(backendPort: number, { against }: BenchmarkOptions): Promise<Server[]> {
  const same = (port: number): Server["ports"] => ({ status: port, ping: port, kick: port });
  const shields = benchShields(backendPort);
  const kick = refusalPacket("0".repeat(traceMark.length));
  const edge = await startEdge(shields);
  const responder = await startResponder({ statusAnswer, kick });
  const servers: Server[] = [
    { name: ours, program: edge, ports: same(edge.port) },
    { name: reference, program: responder, ports: same(responder.port) },
  ];
  if (haproxyMissing === undefined) {
    const haproxy = await startHaproxy({ statusAnswer, kick, backendPort });
    const { statusPort, kickPort } = haproxy;
    const ports = { status: statusPort, ping: statusPort, kick: kickPort };
    servers.push({ name: luaServer, program: haproxy, ports });
  }
  if (against !== undefined) {
    const before = await startEdge(shields, { from: against });
    servers.push({ name: "before", program: before, ports: same(before.port) });
  }
  return servers;
}

async function measure(
  { program }: Server,
  port: number,
  exchange: Exchange,
  seconds: number,
): Promise<Measurement> {
  const before = cpuUsOfTree(program.pid);
  const outcome = await runExchanges(port, exchange, seconds);
  const cpuUs = (cpuUsOfTree(program.pid) - before) / outcome.done;
  return { cpuUs, perSecond: outcome.done / outcome.seconds, p99Ms: outcome.p99_us / 1_000 };
}

function rowsOf(
  { name }: Exchange,
  measurements: ReadonlyMap<string, readonly Measurement[]>,
): Row[] {
  const pick = (key: keyof Measurement): Measured =>
    Object.fromEntries(
      [...measurements].map(([server, rounds]) => [server, rounds.map((f) => f[key])]),
    );
  return [
    {
      benchmark: "answers",
      measure: `${name}: CPU each`,
      unit: "µs",
      ...compare(pick("cpuUs"), ours, reference, "cost"),
      ...(name in cpuMax && { aim: atMost(cpuMax[name] ?? 0) }),
    },
    ...(measurements.has(luaServer) && name === exchanges.ping.name
      ? [
          {
            benchmark: "answers",
            measure: `${name}: CPU each, to HAProxy with Lua`,
            unit: "µs",
            ...compare(pick("cpuUs"), ours, luaServer, "cost"),
            aim: atMost(1),
          },
        ]
      : []),
    {
      benchmark: "answers",
      measure: `${name}: on one core`,
      unit: "/s",
      ...compare(pick("perSecond"), ours, reference, "pace"),
    },
    {
      benchmark: "answers",
      measure: `${name}: p99`,
      unit: "ms",
      ...compare(pick("p99Ms"), ours, reference, "cost"),
      ...(name in cpuMax && { aim: atMost(p99Max) }),
      note: "48 in parallel, at full speed",
    },
  ];
}

function atMost(limit: number): Aim {
  return { of: "ratio", is: "at most", limit };
}
