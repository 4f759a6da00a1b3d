import { parseArgs } from "node:util";
import { admission } from "./benchmarks/admission.ts";
import { analytics } from "./benchmarks/analytics.ts";
import { answers } from "./benchmarks/answers.ts";
import type { Benchmark } from "./benchmarks/benchmark.ts";
import { challenge } from "./benchmarks/challenge.ts";
import { api } from "./benchmarks/api.ts";
import { consoleBytes } from "./benchmarks/console-bytes.ts";
import { flood } from "./benchmarks/flood.ts";
import { invoices } from "./benchmarks/invoices.ts";
import { isolation } from "./benchmarks/isolation.ts";
import { bedrockRelay } from "./benchmarks/bedrock-relay.ts";
import { changeLatency } from "./benchmarks/change-latency.ts";
import { landing } from "./benchmarks/landing.ts";
import { liveTail } from "./benchmarks/live-tail.ts";
import { logs } from "./benchmarks/logs.ts";
import { lists } from "./benchmarks/lists.ts";
import { profiles } from "./benchmarks/profiles.ts";
import { relay } from "./benchmarks/relay.ts";
import { memory } from "./benchmarks/memory.ts";
import { scale } from "./benchmarks/scale.ts";
import { udp } from "./benchmarks/udp.ts";
import type { Row } from "./report/row.ts";
import { saveResults } from "./report/results.ts";
import { table } from "./report/table.ts";

/**
 * `npm run bench [-- names] [--rounds n] [--seconds n] [--against checkout] [--size n]`: measures, prints the
 * table and, when everything ran, saves it in bench/results.
 */

const benchmarks: readonly Benchmark[] = [
  answers,
  flood,
  challenge,
  admission,
  relay,
  udp,
  bedrockRelay,
  isolation,
  memory,
  lists,
  scale,
  changeLatency,
  api,
  analytics,
  invoices,
  logs,
  liveTail,
  consoleBytes,
  landing,
  profiles,
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    against: { type: "string" },
    size: { type: "string", default: "100000" },
  },
});
const names = benchmarks.map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const size = Number(values.size);
if (
  unknown.length > 0 ||
  !(Number.isInteger(rounds) && rounds > 0 && seconds > 0 && Number.isInteger(size) && size > 0)
) {
  console.error(
    `usage: npm run bench [-- names] [--rounds n] [--seconds n] [--size n]\nnames: ${names.join(", ")}`,
  );
  process.exit(2);
}

// process.exit runs the exit handlers, which end all started programs; a signal alone would not.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => process.exit(130));
}

const startedAt = performance.now();
const since = (): string => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
const options = {
  rounds,
  seconds,
  size,
  against: values.against,
  say: (line: string): void => console.log(`[${since()}] ${line}`),
};
const chosen = benchmarks.filter(({ name, isExtra }) =>
  positionals.length === 0 ? isExtra !== true : positionals.includes(name),
);
const rows: Row[] = [];
const broken: string[] = [];
for (const benchmark of chosen) rows.push(...(await resultOf(benchmark)));
if (positionals.length === 0) saveResults(rows, { rounds, seconds, failed: broken });
console.log(`\n${table(rows)}\n\n${since()} in total`);
process.exit(broken.length === 0 ? 0 : 1);

/** A benchmark that fails becomes a line of the table; the others still run. */
async function resultOf(benchmark: Benchmark): Promise<Row[]> {
  const nothing = { benchmark: benchmark.name, measure: "not measured", unit: "" };
  if (benchmark.missing !== undefined) {
    options.say(`${benchmark.name} left out: ${benchmark.missing}`);
    return [{ ...nothing, note: benchmark.missing }];
  }
  try {
    return await benchmark.run(options);
  } catch (error) {
    console.error(error);
    broken.push(benchmark.name);
    const [reason = ""] = String(error).split("\n");
    return [{ ...nothing, note: `failed: ${reason.slice(0, 120)}` }];
  }
}
