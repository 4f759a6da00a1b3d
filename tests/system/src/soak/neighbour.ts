import { parseArgs } from "node:util";
import type { NoiseResult } from "../neighbour/noise-program.ts";
import { packetsPerSecond, share, times } from "../neighbour/plan.ts";
import { type Compared, type NeighbourResult, runNeighbour } from "../neighbour/run-neighbour.ts";

/**
 * `npm run soak -- neighbour [--rounds 7] [--seconds 10] [--players 20] [--joins 10]`
 *
 * One shield asks for a hundred times its share of an edge while the joins and packets of another
 * are measured, by turns with quiet times. On loopback, without a control plane.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "10" },
    players: { type: "string", default: "20" },
    joins: { type: "string", default: "20" },
  },
});
/** The noisy p99 may be so many times the quiet one, over all rounds. */
const ratioMax = 2;
/** The same of a single round, which has few joins. */
const roundRatioMax = 3;
/** Bytes may come above the share at the start of each noisy time, and with kicks and status answers. */
const bytesMax = 1.5;
/** The noisy shield has its share, too: fewer bytes mean that it asked for little. */
const bytesMin = 0.5;
/**
 * Descriptors of the noisy shield: two of each player, one of each half-open connection and one for its
 * backend, and those of connections that have not named their shield yet or read their kick.
 */
const descriptorsMax = 2 * share.players + 2 * share.half_open_logins + 64;

const plan = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  players: Number(values.players),
  joinsPerSecond: Number(values.joins),
};
if (!Object.values(plan).every((n) => Number.isInteger(n) && n > 0)) {
  console.error("all options are whole numbers above 0");
  process.exit(2);
}
// The programs end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const result = await runNeighbour(plan, console.log);
const faults = faultsOf(result);
console.log(summary(result));
for (const fault of faults) console.log(`BROKEN ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);

function ratioOf({ quiet, noisy }: Compared): number {
  return noisy.p99Ms / quiet.p99Ms;
}

function faultsOf(result: NeighbourResult): string[] {
  const { joins, packets, failed, lost, noise, outcomes, descriptors } = result;
  const players = Math.max(...noise.map(({ playersMax }) => playersMax));
  const limited = ["full", "shed_shield"].filter((outcome) => !outcomes.get(outcome));
  return [
    ...(ratioOf(joins) <= ratioMax ? [] : ["joins of the quiet shield take too long"]),
    ...(ratioOf(packets) <= ratioMax ? [] : ["packets of the quiet shield take too long"]),
    ...roundFaults("joins", joins),
    ...roundFaults("packets", packets),
    ...measuredFaults(result),
    ...noise.flatMap(noiseFaults),
    ...(failed > 0 ? [`${failed} joins of the quiet shield failed`] : []),
    ...(lost > 0 ? [`${lost} players of the quiet shield were lost`] : []),
    ...(players > share.players ? [`the noisy shield had ${players} players`] : []),
    ...(descriptors > descriptorsMax ? [`the noisy shield had ${descriptors} descriptors`] : []),
    ...limited.map((outcome) => `no connection ended as ${outcome}`),
  ];
}

/** Nine of ten joins and packets have to be there: those that are missing may be the slow ones. */
function measuredFaults({ joins, packets }: NeighbourResult): string[] {
  const seconds = plan.rounds * plan.seconds;
  const wanted = { joins: plan.joinsPerSecond, packets: plan.players * packetsPerSecond };
  return [joins.quiet, joins.noisy].some(({ count }) => count < 0.9 * seconds * wanted.joins) ||
    [packets.quiet, packets.noisy].some(({ count }) => count < 0.9 * seconds * wanted.packets)
    ? ["too few joins or packets of the quiet shield were measured"]
    : [];
}

/** A noise that asks for less than it should proves nothing, and one that gets more is not limited. */
function noiseFaults({ opened, bytes, ms, playersMax }: NoiseResult, n: number): string[] {
  const perSecond = Math.round((1_000 * bytes) / ms);
  const logins = opened.bulk + opened.silent + opened.raw;
  return [
    ...(logins < times * share.players ? [`only ${logins} players asked for a place`] : []),
    ...(opened["half-open"] < times * share.half_open_logins
      ? [`only ${opened["half-open"]} half-open connections were opened`]
      : []),
    ...(playersMax === 0 ? ["the noisy shield had no player"] : []),
    ...(perSecond > bytesMax * share.bytes_per_second ||
    perSecond < bytesMin * share.bytes_per_second
      ? [`the noisy shield had ${perSecond} bytes a second`]
      : []),
  ].map((fault) => `round ${n + 1}: ${fault}`);
}

function roundFaults(what: string, { ratios }: Compared): string[] {
  return ratios.flatMap((ratio, n) =>
    ratio > roundRatioMax ? [`round ${n + 1}: ${what} took ${ratio.toFixed(2)} times as long`] : [],
  );
}

function summary(result: NeighbourResult): string {
  const { joins, packets, noise, outcomes, descriptors } = result;
  const sum = (of: (each: (typeof noise)[number]) => number): number =>
    noise.reduce((total, each) => total + of(each), 0);
  const seconds = sum(({ ms }) => ms) / 1_000;
  return [
    `joins: ${compared(joins)}`,
    `packets: ${compared(packets)}`,
    `noise, ${times} times the share: ${Math.round(sum(({ opened }) => allOf(opened)) / seconds)} connections a second, ${Math.round(sum(({ bytes }) => bytes) / seconds / 1_000)} KB a second, ${Math.max(...noise.map(({ playersMax }) => playersMax))} players, ${descriptors} descriptors`,
    `outcomes: ${[...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(", ")}`,
  ].join("\n");
}

function allOf(opened: NoiseResult["opened"]): number {
  return Object.values(opened).reduce((total, count) => total + count, 0);
}

function compared(both: Compared): string {
  const text = ({ p50Ms, p99Ms }: Compared["quiet"]): string =>
    `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  return `quiet ${text(both.quiet)}; noisy ${text(both.noisy)}; p99 ${ratioOf(both).toFixed(2)} times`;
}
