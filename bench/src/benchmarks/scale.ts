import {
  type ControlPlaneServer,
  startControlPlaneServer,
} from "@palisade/control-client/testing/control-plane-server";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { manyShields, numberedPing } from "#src/edge/bench-shields.ts";
import { type EdgeProgram, startEdge, startEdgeIn } from "#src/edge/edge-program.ts";
import { startStatusBackend, statusAnswer, type StatusBackend } from "#src/edge/status-backend.ts";
import { cpuUsOf, rssBytesOf } from "#src/machine/process-facts.ts";
import { compilerMissing } from "#src/programs/compile.ts";
import { type Exchange, runExchanges } from "#src/programs/exchange-load.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";
import { compare, interleaved } from "./rounds.ts";

const most = 100_000;
/** All shields of the edge busy at once, in place of as many as an edge of `some` has. */
const everyName = "100,000 busy shields";
const some = 1_000;
/** Every name is pinged once before; what loading left in memory is collected in that time too. */
const warmSeconds = 4;
/** Far above what it takes, on a busy machine too. */
const loadCapMs = 900_000;

const ping: Exchange = {
  name: "status",
  steps: [{ send: numberedPing(), expect: statusAnswer.toString("hex") }],
  closes: "client",
};

/** What the number of shields costs an edge: pings answered from memory, and loading all of them. */
export const scale: Benchmark = {
  name: "scale",
  missing: compilerMissing,
  async run(options) {
    const backend = await startStatusBackend();
    const home = await createTemporaryFolder("bench-scale");
    const edges: EdgeProgram[] = [];
    try {
      const streamed = await loadFromStream(home.path, backend.port, options);
      options.say(`scale: ${most} shields from disk`);
      const startedAt = performance.now();
      const large = await startEdgeIn(home.path);
      edges.push(large);
      const fromDisk = { seconds: secondsSince(startedAt), bytes: rssBytesOf(large.pid) };
      const one = await startEdge([...manyShields(1, backend.port)]);
      edges.push(one);
      const middle = await startEdge([...manyShields(some, backend.port)]);
      edges.push(middle);
      const servers = [
        new Pinged(named(1), one, 1),
        new Pinged(named(some), middle, some),
        new Pinged(named(most), large, some),
        new Pinged(everyName, large, most),
      ];
      for (const server of servers) await server.warm();
      const hits = await measureHits(servers, backend, options);
      return [...hits, ...rowsOfLoads(streamed, fromDisk, rssBytesOf(one.pid))];
    } finally {
      for (const edge of edges) await edge.stop();
      backend.stop();
      await home.remove();
    }
  },
};

interface Load {
  readonly servedS: number;
  readonly keptS: number;
  readonly bytes: number;
}

/** A new edge that enrols and is sent everything; afterwards its copy is in the folder. */
async function loadFromStream(
  home: string,
  backendPort: number,
  { say }: BenchmarkOptions,
): Promise<Load> {
  say(`scale: ${most} shields from the stream`);
  const api = await startControlPlaneServer({ heartbeatMs: 1_000 });
  try {
    const version = api.change(
      Array.from(manyShields(most, backendPort), (config) => ({
        shield_id: config.shield_id,
        revision: config.revision,
        config,
      })),
    );
    const startedAt = performance.now();
    const edge = await startEdgeIn(home, { apiUrl: api.url, token: api.token });
    try {
      const cap = { capMs: loadCapMs, everyMs: 100 };
      await until(async () => (await shieldsOf(edge)) === most, cap);
      const servedS = secondsSince(startedAt);
      await until(() => api.reported.includes(version), cap);
      expectAllApplied(api);
      return { servedS, keptS: secondsSince(startedAt), bytes: rssBytesOf(edge.pid) };
    } finally {
      await edge.stop();
    }
  } finally {
    await api.close();
  }
}

function expectAllApplied({ acks }: ControlPlaneServer): void {
  const refused = acks.find(({ outcome }) => outcome !== "applied");
  if (refused !== undefined) throw new Error(`a shield was refused: ${JSON.stringify(refused)}`);
}

async function shieldsOf({ metrics }: EdgeProgram): Promise<number> {
  const text = await (await fetch(`${metrics}/metrics`)).text();
  return Number(/^palisade_edge_shields (\d+)/m.exec(text)?.[1]);
}

/** An edge whose names are pinged one after the other, going on where the last pings ended. */
class Pinged {
  readonly name: string;
  readonly edge: EdgeProgram;
  readonly #count: number;
  #from = 0;

  /** @param count names that are pinged, the first ones of the edge */
  constructor(name: string, edge: EdgeProgram, count: number) {
    this.name = name;
    this.edge = edge;
    this.#count = count;
  }

  async ping(seconds: number): Promise<{ readonly done: number; readonly seconds: number }> {
    const numbers = { from: this.#from % this.#count, count: this.#count };
    const outcome = await runExchanges(this.edge.port, ping, seconds, numbers);
    this.#from += outcome.done;
    return outcome;
  }

  async warm(): Promise<void> {
    while (this.#from < this.#count) await this.ping(warmSeconds);
  }
}

interface Hits {
  readonly cpuUs: number;
  readonly perSecond: number;
}

async function measureHits(
  servers: readonly Pinged[],
  backend: StatusBackend,
  { rounds, seconds, say }: BenchmarkOptions,
): Promise<Row[]> {
  say("scale: pings answered from memory");
  const askedBefore = backend.asked;
  const figures = await interleaved(servers, rounds, async (server): Promise<Hits> => {
    const { pid } = server.edge;
    const before = cpuUsOf(pid);
    const { done, seconds: taken } = await server.ping(seconds);
    return { cpuUs: (cpuUsOf(pid) - before) / done, perSecond: done / taken };
  });
  const cpu = Object.fromEntries(
    [...figures].map(([name, all]) => [name, all.map(({ cpuUs }) => cpuUs)]),
  );
  const asked = `${backend.asked - askedBefore} pings of all were asked of the backend`;
  const row = (name: string): Row => ({
    benchmark: "scale",
    measure: `status from memory, ${name}: CPU each`,
    unit: "µs",
    ...compare(
      { [named(1)]: cpu[named(1)] ?? [], [name]: cpu[name] ?? [] },
      name,
      named(1),
      "efficiency",
    ),
    note: `${some} names in turn; ${asked}`,
  });
  const aim = { of: "ratio", is: "at least", limit: 0.95 } as const;
  return [
    { ...row(named(some)), aim },
    { ...row(named(most)), aim },
    // What so many busy shields cost beside the answers: counters, health, memory that is cold.
    { ...row(everyName), note: `every name in turn; ${asked}` },
  ];
}

function rowsOfLoads(
  streamed: Load,
  fromDisk: { readonly seconds: number; readonly bytes: number },
  bytesOfOne: number,
): Row[] {
  const row = { benchmark: "scale" } as const;
  const megabytes = (bytes: number): number => bytes / 1e6;
  const perShield = (bytes: number): string =>
    `${((bytes - bytesOfOne) / most / 1_024).toFixed(1)} KB a shield above an edge with one`;
  return [
    {
      ...row,
      measure: `${named(most)} from the stream: served after`,
      unit: "s",
      value: streamed.servedS,
      note: `from the start of the program; all kept on disk after ${streamed.keptS.toFixed(0)} s`,
    },
    {
      ...row,
      measure: `${named(most)} from the stream: memory`,
      unit: "MB",
      value: megabytes(streamed.bytes),
      note: perShield(streamed.bytes),
    },
    {
      ...row,
      measure: `${named(most)} from disk: taking players after`,
      unit: "s",
      value: fromDisk.seconds,
      note: "from the start of the program",
    },
    {
      ...row,
      measure: `${named(most)} from disk: memory`,
      unit: "MB",
      value: megabytes(fromDisk.bytes),
      note: perShield(fromDisk.bytes),
    },
  ];
}

function named(count: number): string {
  return `${count.toLocaleString("en")} shield${count === 1 ? "" : "s"}`;
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
