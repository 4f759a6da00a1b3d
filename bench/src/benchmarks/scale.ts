import {
  type ControlPlaneServer,
  startControlPlaneServer,
} from "@palisade/control-client/testing/control-plane-server";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { manyShields, numberedPing } from "#src/edge/sample-shields.ts";
import { type EdgeProgram, startEdge, startEdgeIn } from "#src/edge/edge-program.ts";
import { startStatusBackend, statusAnswer, type StatusBackend } from "#src/edge/status-backend.ts";
import { cpuUsOf, rssBytesOf } from "@palisade/testing/process-stats";
import { compilerMissing } from "#src/programs/compile.ts";
import { type Exchange, runExchanges } from "#src/programs/exchange-load.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";
import { compare, interleaved } from "./interleaved-rounds.ts";

const most = 100_000;
const some = 1_000;
/** Warm-up: every name is pinged once, and garbage of loading is collected. */
const warmSeconds = 4;
/** Far more than loading needs, also on a busy machine. */
const loadCapMs = 900_000;

const ping: Exchange = {
  name: "status",
  steps: [{ send: numberedPing(), expect: statusAnswer.toString("hex") }],
  closes: "client",
};

/** The cost of many shields for an edge: pings answered from memory, and loading all shields. */
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
      const pinged = ({ shields, names }: TableSize): PingTarget =>
        new PingTarget({ shields, names }, shields === 1 ? one : shields === some ? middle : large);
      const hits = await measureHits(pairs.map(pinged), backend, options);
      // Measured last, because the edge checks backends of busy shields often for minutes.
      const allBusy = await measureHits([smallest, everything].map(pinged), backend, options);
      const rows = [...rowsOfHits(hits), hitRow(allBusy, everything, smallest)];
      return [...rows, ...rowsOfLoads(streamed, fromDisk, rssBytesOf(one.pid))];
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

/** Loads all shields into a new edge from the stream; afterwards the folder holds its last good copy. */
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

/** Number of shields of an edge, and of names that are pinged in turn. */
interface TableSize {
  readonly shields: number;
  readonly names: number;
}

const smallest: TableSize = { shields: 1, names: 1 };
const busy: TableSize = { shields: some, names: some };
const everything: TableSize = { shields: most, names: most };

/** First the same pings on tables of all sizes, then more names on the same table. */
const pairs: readonly TableSize[] = [
  smallest,
  { shields: some, names: 1 },
  { shields: most, names: 1 },
  busy,
  { shields: most, names: some },
];

/** Pings the first names of an edge in turn and continues at the next name in the next round. */
class PingTarget {
  readonly name: string;
  readonly edge: EdgeProgram;
  readonly #count: number;
  #from = 0;

  constructor(pair: TableSize, edge: EdgeProgram) {
    this.name = named(pair);
    this.edge = edge;
    this.#count = pair.names;
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

/** CPU per ping of each table size, one value per round. */
interface Hits {
  readonly cpuUs: Readonly<Record<string, readonly number[]>>;
  /** Pings that were not answered from memory. */
  readonly asked: number;
}

async function measureHits(
  servers: readonly PingTarget[],
  backend: StatusBackend,
  { rounds, seconds, say }: BenchmarkOptions,
): Promise<Hits> {
  say(`scale: pings answered from memory: ${servers.map(({ name }) => name).join("; ")}`);
  for (const server of servers) await server.warm();
  const askedBefore = backend.asked;
  const values = await interleaved(servers, rounds, async (server) => {
    const { pid } = server.edge;
    const before = cpuUsOf(pid);
    const { done } = await server.ping(seconds);
    return (cpuUsOf(pid) - before) / done;
  });
  return { cpuUs: Object.fromEntries(values), asked: backend.asked - askedBefore };
}

function rowsOfHits(hits: Hits): Row[] {
  const aim = { of: "ratio", is: "at least", limit: 0.95 } as const;
  return [
    { ...hitRow(hits, { shields: some, names: 1 }, smallest), aim },
    { ...hitRow(hits, { shields: most, names: 1 }, smallest), aim },
    { ...hitRow(hits, { shields: most, names: some }, busy), aim },
    // Shows not the size of the table but of its busy part: more shields and answers are outside the CPU cache.
    hitRow(hits, busy, smallest),
  ];
}

function hitRow({ cpuUs, asked }: Hits, pair: TableSize, to: TableSize): Row {
  const measured = Object.fromEntries(
    [pair, to].map((each) => [named(each), cpuUs[named(each)] ?? []]),
  );
  return {
    benchmark: "scale",
    measure: `status from memory, ${named(pair)}: CPU each`,
    unit: "µs",
    ...compare(measured, named(pair), named(to), "efficiency"),
    note: `${asked} pings of all were asked of the backend`,
  };
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
      measure: `${counted(most, "shield")} from the stream: served after`,
      unit: "s",
      value: streamed.servedS,
      note: `from the start of the program; all kept on disk after ${streamed.keptS.toFixed(0)} s`,
    },
    {
      ...row,
      measure: `${counted(most, "shield")} from the stream: memory`,
      unit: "MB",
      value: megabytes(streamed.bytes),
      note: perShield(streamed.bytes),
    },
    {
      ...row,
      measure: `${counted(most, "shield")} from disk: taking players after`,
      unit: "s",
      value: fromDisk.seconds,
      note: "from the start of the program",
    },
    {
      ...row,
      measure: `${counted(most, "shield")} from disk: memory`,
      unit: "MB",
      value: megabytes(fromDisk.bytes),
      note: perShield(fromDisk.bytes),
    },
  ];
}

function named({ shields, names }: TableSize): string {
  return `${counted(shields, "shield")}, ${counted(names, "name")}`;
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
