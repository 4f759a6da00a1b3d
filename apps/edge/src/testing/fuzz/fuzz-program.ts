import { parseArgs } from "node:util";
import { type FuzzFigures, runFuzz } from "./fuzz-run.ts";

/** Of what is in use after the warm-up: caches and the compiler's own take their part. */
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
const figures = await runFuzz({ inputs, seed, say, collect: () => gc() });
say(summary(figures));
const [first = 0, last = 0] = [figures.heaps[0], figures.heaps.at(-1)];
if (last - first > Math.max(growthBytesMax, growthMax * first)) {
  say(`BROKEN memory grows: ${first} bytes in use, then ${last}`);
  process.exitCode = 1;
}

function summary(run: FuzzFigures): string {
  const mib = (bytes = 0): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return [
    `${run.inputs} inputs in ${Math.round(run.seconds)} s, ${Math.round(run.inputs / run.seconds)} a second`,
    `decoders: ${listed(run.decoded)}`,
    `sessions, phases seen: ${listed(run.phases)}`,
    `sessions, outcomes: ${listed(run.outcomes)}; ${run.players} players`,
    `verifications: ${listed(run.verifications)}`,
    `in use: ${mib(run.heaps[0])} after the warm-up, ${mib(Math.max(...run.heaps))} at most, ${mib(run.heaps.at(-1))} at the end`,
  ].join("\n");
}

function listed(counts: ReadonlyMap<string, number>): string {
  const byName = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return byName.map(([name, count]) => `${name} ${count}`).join(", ");
}
