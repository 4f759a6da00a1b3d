import { parseArgs } from "node:util";
import { namespacesMissing } from "@palisade/testing/network-namespaces";
import {
  botAddressesMax,
  botKinds,
  clientVersions,
  floodLevels,
  type FloodPlan,
} from "../flood/plan.ts";
import { edgeFigures, type FloodResult, runFlood } from "../flood/run-flood.ts";

/**
 * `npm run soak -- flood [--level refused] [--seconds 60] [--rate 5000] [--sources 8192]
 * [--kernel off] [--workers n] [--version 1.20.4] [--joins-every-ms 500] [--players 50]
 * [--kinds login,silent,early,cookie]`
 *
 * Bots, real clients and players against one edge, in network namespaces. Needs root.
 */

const { values } = parseArgs({
  options: {
    level: { type: "string", default: "refused" },
    seconds: { type: "string", default: "60" },
    quiet: { type: "string", default: "10" },
    rate: { type: "string", default: "5000" },
    sources: { type: "string", default: "8192" },
    kernel: { type: "string", default: "off" },
    workers: { type: "string" },
    version: { type: "string", default: "1.20.4" },
    kinds: { type: "string", default: botKinds.join() },
    "joins-every-ms": { type: "string", default: "500" },
    players: { type: "string", default: "50" },
  },
});

const missing = namespacesMissing();
if (missing !== undefined) {
  console.error(`The flood cannot run: ${missing}.`);
  process.exit(2);
}
// Namespaces and whatever runs in them go with the process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const plan = planOf();
console.log(
  `${plan.botsPerSecond} bots a second (${plan.kinds.join(", ")}) from ${plan.sources} addresses ` +
    `for ${plan.seconds} s, level ${plan.level}, kernel ${plan.kernel}, ` +
    `${plan.workers ?? "the usual number of"} threads, real clients ${plan.version}`,
);
const result = await runFlood(plan, console.log);
console.log(summary(plan, result));
const broken = brokenPromises(plan, result);
for (const line of broken) console.log(`BROKEN ${line}`);
process.exit(broken.length === 0 ? 0 : 1);

function planOf(): FloodPlan {
  const level = floodLevels.find((known) => known === values.level);
  const kernel = values.kernel === "auto" || values.kernel === "off" ? values.kernel : undefined;
  const version = clientVersions.find((known) => known === values.version);
  const kinds = botKinds.filter((kind) => values.kinds.split(",").includes(kind));
  const numbers = {
    seconds: Number(values.seconds),
    quietSeconds: Number(values.quiet),
    botsPerSecond: Number(values.rate),
    sources: Number(values.sources),
    joinEveryMs: Number(values["joins-every-ms"]),
    players: Number(values.players),
  };
  const workers = values.workers === undefined ? undefined : Number(values.workers);
  const areNumbers = [...Object.values(numbers), workers ?? 1].every(
    (n) => Number.isInteger(n) && n > 0,
  );
  const isWhole = areNumbers && kinds.length > 0;
  if (level === undefined || kernel === undefined || version === undefined || !isWhole) {
    console.error(
      `levels: ${floodLevels.join(", ")}; kinds: ${botKinds.join(", ")}; kernel: auto, off; ` +
        `versions: ${clientVersions.join(", ")}; the others whole numbers above 0`,
    );
    process.exit(2);
  }
  const sources = Math.min(numbers.sources, botAddressesMax);
  return { ...numbers, sources, level, kernel, workers, version, kinds };
}

function summary({ seconds }: FloodPlan, run: FloodResult): string {
  const { bots, joins, quiet, flood } = run;
  const { cpu, rssBytes } = edgeFigures(run.seconds);
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  const mib = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`;
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const outcomes = [...run.outcomes].map(([outcome, count]) => `${outcome} ${count}`);
  const perSecond = (count: number): number => Math.round(count / seconds);
  return [
    `bots: ${perSecond(bots.opened)} opened a second, ${perSecond(bots.connected)} connected, ${bots.answered} answered, ${bots.held} held to the end, ${bots.unconnected} never connected, ${bots.skipped} left out; generator CPU ${percent(bots.cpuMs / (seconds * 1_000))} of a core`,
    `real joins: ${joins.joined} of ${joins.tried} (${joins.rejoined} told to rejoin), p50 ${ms(joins.latencies.p50Ms)}, p99 ${ms(joins.latencies.p99Ms)}`,
    `players: ${flood.lost} lost; there and back p50 ${ms(quiet.p50Ms)} -> ${ms(flood.p50Ms)}, p99 ${ms(quiet.p99Ms)} -> ${ms(flood.p99Ms)}, added p99 ${ms(flood.p99Ms - quiet.p99Ms)}`,
    `edge CPU: ${percent(cpu.quiet)} quiet, ${percent(cpu.first)} in the first fifth, ${percent(cpu.last)} in the last`,
    `edge memory: ${mib(rssBytes.quiet)} quiet, ${mib(rssBytes.early)} early, ${mib(rssBytes.last)} at the end`,
    `outcomes: ${outcomes.join(", ")}`,
    `kernel drops: ${run.kernelDrops ?? "no help from the kernel"}`,
  ].join("\n");
}

function brokenPromises({ botsPerSecond, seconds }: FloodPlan, run: FloodResult): string[] {
  const { bots, joins, flood } = run;
  const { rssBytes } = edgeFigures(run.seconds);
  const broken: string[] = [];
  if (bots.opened < 0.95 * botsPerSecond * seconds) broken.push("the generator has not kept up");
  if (joins.joined < 0.99 * joins.tried) {
    broken.push(`real clients did not join: ${joins.failures.slice(0, 5).join("; ")}`);
  }
  if (flood.lost > 0) broken.push(`${flood.lost} players have lost their connection`);
  if (rssBytes.last > 1.25 * rssBytes.early) broken.push("memory grows");
  return broken;
}
