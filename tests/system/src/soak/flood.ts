import { parseArgs } from "node:util";
import { namespacesMissing } from "@palisade/testing/network-namespaces";
import { botsLetIn, edgeUsage } from "../flood/edge-usage.ts";
import {
  botAddressesMax,
  botKinds,
  botSpreads,
  clientVersions,
  floodLevels,
  type FloodPlan,
} from "../flood/plan.ts";
import { unmetPace, unmetExpectations } from "../flood/expectations.ts";
import { type FloodResult, runFlood } from "../flood/run-flood.ts";

/**
 * `npm run soak -- flood [--all] [--level high] [--spread wide] [--seconds 60] [--floods 2]
 * [--rate 5000] [--sources n] [--kernel off] [--workers n] [--version 1.20.4] [--kinds login,silent]
 * [--joins-every-ms 500] [--players 50] [--quiet 10] [--rest 10]`
 *
 * Bots, real clients and players against one edge, in network namespaces. Needs root. `--all` runs
 * every level in turn, and dense bots with and without bans in the kernel, and prints a table.
 */

const { values } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    level: { type: "string", default: "high" },
    spread: { type: "string", default: "wide" },
    seconds: { type: "string", default: "60" },
    floods: { type: "string", default: "2" },
    quiet: { type: "string", default: "10" },
    rest: { type: "string", default: "10" },
    rate: { type: "string", default: "5000" },
    sources: { type: "string" },
    kernel: { type: "string", default: "off" },
    workers: { type: "string" },
    version: { type: "string", default: "1.20.4" },
    kinds: { type: "string", default: botKinds.join() },
    "joins-every-ms": { type: "string", default: "500" },
    players: { type: "string", default: "50" },
  },
});

type Variety = Pick<FloodPlan, "level" | "spread" | "kernel" | "version">;

/** Real clients include one that rejoins, one that is transferred and one that passes the gravity challenge. */
const varieties: readonly Variety[] = [
  { level: "low", spread: "wide", kernel: "off", version: "1.20.4" },
  { level: "medium", spread: "wide", kernel: "off", version: "1.20.4" },
  { level: "high", spread: "wide", kernel: "off", version: "1.21.4" },
  { level: "extreme", spread: "wide", kernel: "off", version: "1.21.4" },
  { level: "extreme", spread: "wide", kernel: "off", version: "1.12.2" },
  { level: "refused", spread: "wide", kernel: "off", version: "1.20.4" },
  { level: "high", spread: "dense", kernel: "off", version: "1.20.4" },
  { level: "high", spread: "dense", kernel: "auto", version: "1.20.4" },
  { level: "refused", spread: "dense", kernel: "auto", version: "1.20.4" },
];

const missing = namespacesMissing();
if (missing !== undefined) {
  console.error(`The flood cannot run: ${missing}.`);
  process.exit(2);
}
// Namespaces and the processes in them end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const plans = values.all ? varieties.map(planOf) : [planOf(chosenVariety())];
const table: Record<string, string | number>[] = [];
let isBroken = false;
for (const plan of plans) {
  console.log(`\n${titleOf(plan)}`);
  const result = await runFlood(plan, console.log);
  console.log(summary(plan, result));
  const broken = [...unmetPace(plan, result), ...unmetExpectations(plan, result)];
  for (const line of broken) console.log(`BROKEN ${line}`);
  isBroken ||= broken.length > 0;
  table.push(rowOf(plan, result, broken.length));
}
if (table.length > 1) console.table(table);
process.exit(isBroken ? 1 : 0);

function chosenVariety(): Variety {
  const level = floodLevels.find((known) => known === values.level);
  const spread = botSpreads.find((known) => known === values.spread);
  const kernel = (["auto", "off"] as const).find((known) => known === values.kernel);
  const version = clientVersions.find((known) => known === values.version);
  if (level && spread && kernel && version) return { level, spread, kernel, version };
  return refuse(
    `levels: ${floodLevels.join(", ")}; spreads: ${botSpreads.join(", ")}; kernel: auto, off; ` +
      `versions: ${clientVersions.join(", ")}`,
  );
}

function planOf(variety: Variety): FloodPlan {
  const kinds = botKinds.filter((kind) => values.kinds.split(",").includes(kind));
  const sourcesMax = botAddressesMax[variety.spread];
  const numbers = {
    seconds: Number(values.seconds),
    floods: Number(values.floods),
    quietSeconds: Number(values.quiet),
    restSeconds: Number(values.rest),
    botsPerSecond: Number(values.rate),
    sources: Math.min(Number(values.sources ?? sourcesMax), sourcesMax),
    joinEveryMs: Number(values["joins-every-ms"]),
    players: Number(values.players),
  };
  const workers = values.workers === undefined ? undefined : Number(values.workers);
  const areNumbers = [...Object.values(numbers), workers ?? 1].every(
    (n) => Number.isInteger(n) && n > 0,
  );
  if (!areNumbers || kinds.length === 0) {
    return refuse(`kinds: ${botKinds.join(", ")}; all others are whole numbers above 0`);
  }
  // Level low stops players that have not pinged and admits those that have, so bots must not ping.
  return { ...variety, ...numbers, pings: variety.level !== "low", kinds, workers };
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}

function titleOf(plan: FloodPlan): string {
  const { botsPerSecond, kinds, sources, spread, seconds, floods, level, kernel, version } = plan;
  return (
    `${botsPerSecond} bots a second (${kinds.join(", ")}) from ${sources} addresses, ${spread}, ` +
    `${floods} times for ${seconds} s, level ${level}, kernel ${kernel}, ` +
    `${plan.workers ?? "the default number of"} threads, real clients ${version}`
  );
}

function summary(plan: FloodPlan, run: FloodResult): string {
  const { bots, joins, quiet, floods, drops } = run;
  const edge = edgeUsage(plan, run);
  const perSecond = (count: number): number => Math.round((1_000 * count) / bots.ms);
  const each = (text: (flood: EdgeFlood) => string): string => edge.floods.map(text).join(", ");
  const outcomes = [...run.outcomes].map(([outcome, count]) => `${outcome} ${count}`);
  const delays = floods.map(
    ({ p50Ms, p99Ms }) =>
      `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)} (added ${ms(p99Ms - quiet.p99Ms)}) in a flood`,
  );
  return [
    `bots: ${perSecond(bots.opened)} opened a second, ${perSecond(bots.connected)} connected, ${bots.answered} answered, ${bots.held} connected to the end, ${bots.unconnected} never connected, ${bots.skipped} skipped, ${botsLetIn(plan, run)} admitted; CPU of the bots ${percent(bots.cpuMs / bots.ms)} of a core`,
    `real joins: ${joins.joined} of ${joins.tried} (${joins.verified} verified first), p50 ${ms(joins.latencies.p50Ms)}, p99 ${ms(joins.latencies.p99Ms)}`,
    `players: ${floods.at(-1)?.lost} lost; round trip p50 ${ms(quiet.p50Ms)}, p99 ${ms(quiet.p99Ms)} quiet; ${delays.join("; ")}`,
    `edge CPU: ${percent(edge.quiet.cpu)} quiet; ${each(({ firstCpu, lastCpu }) => `${percent(firstCpu)} in the first fifth and ${percent(lastCpu)} in the last of a flood`)}; ${percent(edge.rest.cpu)} after a rest`,
    `edge memory: ${mib(edge.quiet.rssBytes)} quiet; ${each(({ rssBytes }) => `${mib(rssBytes)} at the end of a flood`)}; ${mib(edge.rest.rssBytes)} after a rest`,
    `outcomes: ${outcomes.join(", ")}`,
    `kernel drops: ${drops.banned} of banned sources, ${drops.synLimited} above the rate`,
  ].join("\n");
}

type EdgeFlood = ReturnType<typeof edgeUsage>["floods"][number];

function rowOf(plan: FloodPlan, run: FloodResult, broken: number): Record<string, string | number> {
  const { level, spread, kernel, version } = plan;
  const { joins, quiet, floods, bots } = run;
  const edge = edgeUsage(plan, run);
  const p99 = Math.max(...floods.map(({ p99Ms }) => p99Ms));
  return {
    level,
    bots: spread,
    kernel,
    client: version,
    joined: `${joins.joined}/${joins.tried}`,
    "join p99": ms(joins.latencies.p99Ms),
    lost: floods.at(-1)?.lost ?? 0,
    "added p99": ms(p99 - quiet.p99Ms),
    admitted: botsLetIn(plan, run),
    CPU: [edge.quiet.cpu, ...edge.floods.map(({ lastCpu }) => lastCpu)].map(percent).join(" "),
    memory: [edge.quiet, ...edge.floods, edge.rest].map(({ rssBytes }) => mib(rssBytes)).join(" "),
    generator: percent(bots.cpuMs / bots.ms),
    broken,
  };
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MiB`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
