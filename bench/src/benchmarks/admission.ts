import { encodeLoginSuccess } from "@palisade/minecraft-protocol/java/login-success";
import { cpuUsOfTree } from "@palisade/testing/process-stats";
import { benchShields, playerName, protocol, requests } from "#src/edge/sample-shields.ts";
import { startEdge } from "#src/edge/edge-program.ts";
import { statusAnswer } from "#src/edge/status-backend.ts";
import { startCRelay } from "#src/programs/c-relay.ts";
import { compilerMissing } from "#src/programs/compile.ts";
import { type Exchange, type NumberRange, runExchanges } from "#src/programs/exchange-load.ts";
import { haproxyMissing, startHaproxy } from "#src/programs/haproxy.ts";
import type { Program } from "#src/programs/program.ts";
import { startResponder } from "#src/programs/responder.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";
import {
  closeRounds,
  compare,
  interleaved,
  type RatioKind,
  valuesOf,
} from "./interleaved-rounds.ts";

interface Server {
  readonly name: string;
  readonly program: Program;
  readonly port: number;
}

interface Measurement {
  readonly cpuUs: number;
  readonly perSecond: number;
}

const ours = "palisade";
const reference = "HAProxy";

/** The backend's first bytes, after which it ends the connection. */
export const firstBytes = encodeLoginSuccess(protocol, {
  uuid: Buffer.alloc(16, 7),
  name: playerName,
});
const zeros = Buffer.from("00000").toString("hex");
/** Each player has its own name. */
export const login: Exchange = {
  name: "admitted login",
  steps: [
    {
      send: requests.login.toString("hex").replace(zeros, "..".repeat(5)),
      expect: firstBytes.toString("hex"),
    },
  ],
  closes: "server",
};
export const everyName: NumberRange = { from: 0, count: 99_999 };

/** The cost of a player from connecting to leaving: verdict, dial, hand-over, first bytes and end. */
export const admission: Benchmark = {
  name: "admission",
  missing: compilerMissing,
  async run(options) {
    options.say("admission: logins to a backend that answers and hangs up");
    const backend = await startResponder({ statusAnswer, kick: firstBytes }, 0, "load");
    const servers = await startServers(backend.port, options);
    try {
      const measurements = await interleaved(servers, closeRounds * options.rounds, (server) =>
        measure(server, options.seconds),
      );
      return rowsOf(measurements);
    } finally {
      for (const { program } of servers) await program.stop();
      await backend.stop();
    }
  },
};

async function startServers(backendPort: number, { against }: BenchmarkOptions): Promise<Server[]> {
  const edge = await startEdge(benchShields(backendPort));
  const relay = await startCRelay(backendPort);
  const handover = await startCRelay(backendPort, { hasHandover: true });
  const servers: Server[] = [
    { name: ours, program: edge, port: edge.port },
    { name: "C", program: relay, port: relay.port },
    { name: "C with hand-over", program: handover, port: handover.port },
  ];
  if (haproxyMissing === undefined) {
    const program = await startHaproxy({ statusAnswer, kick: firstBytes, backendPort });
    servers.push({ name: reference, program, port: program.relayPort });
  }
  if (against !== undefined) {
    const before = await startEdge(benchShields(backendPort), { from: against });
    servers.push({ name: "before", program: before, port: before.port });
  }
  return servers;
}

async function measure({ program, port }: Server, seconds: number): Promise<Measurement> {
  const before = cpuUsOfTree(program.pid);
  const outcome = await runExchanges(port, login, seconds, everyName);
  const cpuUs = (cpuUsOfTree(program.pid) - before) / outcome.done;
  return { cpuUs, perSecond: outcome.done / outcome.seconds };
}

function rowsOf(measurements: ReadonlyMap<string, readonly Measurement[]>): Row[] {
  const row = (
    measure: string,
    unit: string,
    value: (round: Measurement) => number,
    kind: RatioKind,
  ): Row => ({
    benchmark: "admission",
    measure,
    unit,
    ...compare(valuesOf(measurements, value), ours, reference, kind),
  });
  return [
    {
      ...row("admitted login: CPU each", "µs", ({ cpuUs }) => cpuUs, "cost"),
      aim: { of: "ratio", is: "at most", limit: 1.6 },
      note: "from connecting to the end, in all processes; HAProxy in TCP mode",
    },
    row("admitted login: on one core", "/s", ({ perSecond }) => perSecond, "pace"),
  ];
}
