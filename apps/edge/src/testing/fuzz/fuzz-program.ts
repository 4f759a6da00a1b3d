import { parseArgs } from "node:util";
import { fuzzTarget, limboTargets } from "./limbo-run.ts";
import { type FuzzResult, runFuzz } from "./fuzz-run.ts";

/**
 * Allowed growth of the memory in use after the warm-up: caches and the compiler take their part.
 */
const growthMax = 0.1;
const growthBytesMax = 8 * 1_048_576;

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "24000000" },
    seed: { type: "string" },
    limbo: { type: "string" },
  },
});
const inputs = Number(values.inputs);
/** So many of each target of the limbo, and nothing else. */
const limbo = values.limbo === undefined ? undefined : Number(values.limbo);
const seed = values.seed === undefined ? Date.now() : Number(values.seed);
const { gc } = globalThis;
if (gc === undefined || !Number.isInteger(inputs) || !Number.isInteger(seed)) {
  process.stderr.write(
    "usage: node --expose-gc fuzz-program.ts [--inputs n | --limbo n] [--seed n]\n",
  );
  process.exit(2);
}
const say = (line: string): void => void process.stdout.write(`${line}\n`);
// Whatever is thrown behind a promise ends the program with its stack: that is a finding, too.
if (limbo === undefined) await fuzzAll();
else await fuzzLimbo(limbo);

async function fuzzAll(): Promise<void> {
  say(`${inputs} inputs, seed ${seed}`);
  const counts = await runFuzz({ inputs, seed, say, collect });
  say(summary(counts));
  const { heaps } = counts;
  const firstWarm = heaps[0]?.warm ?? 0;
  expectNoGrowth("one edge", heaps);
  expectNoGrowth(
    "edges",
    heaps.map(({ warm }) => ({ warm: firstWarm, end: warm })),
  );
}

async function fuzzLimbo(count: number): Promise<void> {
  for (const target of limboTargets) {
    say(`${target.name}: ${count} inputs, seed ${seed}`);
    const { outcomes, heap } = await fuzzTarget(target, { count, seed, say, collect });
    say(`${target.name}: ${listed(outcomes)}`);
    say(`${target.name}: ${mib(heap.warm)} in use after the warm-up, ${mib(heap.end)} at the end`);
    expectNoGrowth(target.name, [heap]);
  }
}

function collect(): void {
  gc?.();
}

function expectNoGrowth(what: string, spans: FuzzResult["heaps"]): void {
  for (const { warm, end } of spans) {
    if (end - warm <= Math.max(growthBytesMax, growthMax * warm)) continue;
    say(`BROKEN memory of ${what} grows: ${warm} bytes in use, then ${end}`);
    process.exitCode = 1;
  }
}

function summary(run: FuzzResult): string {
  const [first, last] = [run.heaps[0], run.heaps.at(-1)];
  return [
    `${run.inputs} inputs in ${Math.round(run.seconds)} s, ${Math.round(run.inputs / run.seconds)} a second`,
    `decoders: ${listed(run.decoded)}`,
    `sessions, phases seen: ${listed(run.phases)}`,
    `sessions, outcomes: ${listed(run.outcomes)}; ${run.players} players`,
    `verifications: ${listed(run.verifications)}`,
    `limbo: ${listed(run.limbo)}`,
    `in use: ${mib(first?.warm)} with the first of ${run.heaps.length} edges after its warm-up, ${mib(first?.end)} at its end; ${mib(last?.warm)} and ${mib(last?.end)} with the last`,
  ].join("\n");
}

function mib(bytes = 0): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

function listed(counts: ReadonlyMap<string, number>): string {
  const byName = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return byName.map(([name, count]) => `${name} ${count}`).join(", ");
}
