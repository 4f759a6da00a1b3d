import { parseArgs } from "node:util";
import { type FuzzResult, runFuzz } from "./fuzz-run.ts";

/**
 * Allowed growth of the memory in use after the warm-up: caches and the compiler take their part.
 */
const growthMax = 0.1;
const growthBytesMax = 8 * 1_048_576;

const { values } = parseArgs({
  options: { inputs: { type: "string", default: "24000000" }, seed: { type: "string" } },
});
const inputs = Number(values.inputs);
const seed = values.seed === undefined ? Date.now() : Number(values.seed);
const { gc } = globalThis;
if (gc === undefined || !Number.isInteger(inputs) || !Number.isInteger(seed)) {
  process.stderr.write("usage: node --expose-gc fuzz-program.ts [--inputs n] [--seed n]\n");
  process.exit(2);
}
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say(`${inputs} inputs, seed ${seed}`);
// Whatever is thrown behind a promise ends the program with its stack: that is a finding, too.
const counts = await runFuzz({ inputs, seed, say, collect: () => gc() });
say(summary(counts));
const { heaps } = counts;
const firstWarm = heaps[0]?.warm ?? 0;
expectNoGrowth("one edge", heaps);
expectNoGrowth(
  "edges",
  heaps.map(({ warm }) => ({ warm: firstWarm, end: warm })),
);

function expectNoGrowth(what: string, spans: FuzzResult["heaps"]): void {
  for (const { warm, end } of spans) {
    if (end - warm <= Math.max(growthBytesMax, growthMax * warm)) continue;
    say(`BROKEN memory of ${what} grows: ${warm} bytes in use, then ${end}`);
    process.exitCode = 1;
  }
}

function summary(run: FuzzResult): string {
  const mib = (bytes = 0): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  const [first, last] = [run.heaps[0], run.heaps.at(-1)];
  return [
    `${run.inputs} inputs in ${Math.round(run.seconds)} s, ${Math.round(run.inputs / run.seconds)} a second`,
    `decoders: ${listed(run.decoded)}`,
    `sessions, phases seen: ${listed(run.phases)}`,
    `sessions, outcomes: ${listed(run.outcomes)}; ${run.players} players`,
    `verifications: ${listed(run.verifications)}`,
    `in use: ${mib(first?.warm)} with the first of ${run.heaps.length} edges after its warm-up, ${mib(first?.end)} at its end; ${mib(last?.warm)} and ${mib(last?.end)} with the last`,
  ].join("\n");
}

function listed(counts: ReadonlyMap<string, number>): string {
  const byName = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return byName.map(([name, count]) => `${name} ${count}`).join(", ");
}
