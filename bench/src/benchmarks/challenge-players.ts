import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@palisade/testing/free-port";
import { startEdge } from "#src/edge/edge-program.ts";
import { benchShields, checkingShields, refusalPacket } from "#src/edge/sample-shields.ts";
import { statusAnswer } from "#src/edge/status-backend.ts";
import { startCRelay } from "#src/programs/c-relay.ts";
import { type Exchange, runExchanges } from "#src/programs/exchange-load.ts";
import { joinPlayers, type Players } from "#src/programs/players-load.ts";
import { startResponder } from "#src/programs/responder.ts";
import { keepWaiting } from "#src/programs/waiting-clients.ts";
import type { Row } from "#src/report/row.ts";
import { median, medianRatio } from "#src/statistics/statistics.ts";
import { exchanges } from "./answers.ts";
import type { BenchmarkOptions } from "./benchmark.ts";
import { begins, failing, failures, level } from "./challenge-clients.ts";
import { everyName } from "./flood.ts";
import { workerNice } from "./isolation.ts";
import { relayed } from "./relay.ts";

/** As many as an edge checks at once. */
const waitingCount = 8_192;
/** The edge ends silent clients after ten seconds; others give their wrong answer after half of it. */
const stays = {
  "are silent until the edge ends them": { stayMs: 10_000, last: "" },
  "answer wrongly after 5 s": {
    stayMs: 5_000,
    last: failing("1.21", "answers wrongly").steps[1]?.send ?? "",
  },
} as const;
type Stay = keyof typeof stays;
const stayNames = ["are silent until the edge ends them", "answer wrongly after 5 s"] as const;

/** At once, of the lowest priority, so that the players' program goes before. */
const saturating = { parallel: 256, nice: 19 } as const;
/** In this time the edge has forgotten all clients of a flood. */
const settleMs = 2_000;

/** p99 of the players' packets, and connections in a second. */
interface Flooded {
  readonly p99Ms: number;
  readonly perSecond: number;
}

interface Round {
  readonly quietMs: number;
  readonly waiting: Readonly<Record<Stay, Flooded & { readonly least: number }>>;
  readonly saturated: Readonly<Record<(typeof failures)[number], Flooded>>;
  /** The C relay, beside the C responder that answers kicks in the worker's place. */
  readonly quietOfCMs: number;
  readonly saturatedC: Flooded;
}

interface Side {
  readonly players: Players;
  readonly port: number;
}

/** p99 of the packets of players beside clients in the check, and beside as many of them as a core takes. */
export async function playersRows({ rounds, seconds, say }: BenchmarkOptions): Promise<Row[]> {
  say(`challenge: ${relayed.players} players, then clients in the check beside them`);
  const backendPort = await freePort();
  const backendPortOfC = await freePort();
  const edge = await startEdge([...benchShields(backendPort), ...checkingShields(level)]);
  const kick = refusalPacket("00000000");
  const responder = await startResponder({ statusAnswer, kick }, workerNice);
  const relay = await startCRelay(backendPortOfC);
  const players = await joinPlayers(relayed.players, edge.port, backendPort);
  const playersOfC = await joinPlayers(relayed.players, relay.port, backendPortOfC);
  try {
    const all: Round[] = [];
    for (let round = -1; round < rounds; round++) {
      const ours = { players, port: edge.port };
      const measured = await measure(ours, { players: playersOfC, port: responder.port }, seconds);
      if (round >= 0) all.push(measured);
    }
    return [
      ...stayNames.map((name) => waitingRow(all, name)),
      ...failures.map((name) => saturatedRow(all, name)),
    ];
  } finally {
    await players.stop();
    await playersOfC.stop();
    for (const program of [edge, responder, relay]) await program.stop();
  }
}

async function measure(ours: Side, ofC: Side, seconds: number): Promise<Round> {
  const [silent, wrong] = stayNames;
  const [leaves, answers] = failures;
  const saturatedBy = async (failure: (typeof failures)[number]): Promise<Flooded> =>
    besideFlood(ours, failing("1.21", failure), seconds);
  return {
    quietMs: await p99Ms(ours.players, seconds),
    waiting: {
      [silent]: await besideWaiting(ours, silent, seconds),
      [wrong]: await besideWaiting(ours, wrong, seconds),
    },
    saturated: { [leaves]: await saturatedBy(leaves), [answers]: await saturatedBy(answers) },
    quietOfCMs: await p99Ms(ofC.players, seconds),
    saturatedC: await besideFlood(ofC, exchanges.kick, seconds),
  };
}

async function p99Ms(players: Players, seconds: number): Promise<number> {
  return (await players.packets(seconds, relayed.up, relayed.down)).p99_us / 1_000;
}

async function besideWaiting(
  { players, port }: Side,
  name: Stay,
  seconds: number,
): Promise<Round["waiting"][Stay]> {
  const clients = await keepWaiting(port, {
    ...stays[name],
    atOnce: waitingCount,
    // The check of one shield may have three quarters of an edge's places.
    begins: [begins("1.21", 0), begins("1.21", 1)],
    nice: saturating.nice,
  });
  const flooded = await p99Ms(players, seconds);
  const { perSecond, least } = await clients.stop();
  await delay(settleMs);
  return { p99Ms: flooded, perSecond, least };
}

async function besideFlood(
  { players, port }: Side,
  exchange: Exchange,
  seconds: number,
): Promise<Flooded> {
  const flood = { ...exchange, ...saturating };
  // One second longer, so that the flood lasts during the whole measurement.
  const flooding = runExchanges(port, flood, seconds + 1, everyName);
  const flooded = await p99Ms(players, seconds);
  const { done, seconds: took } = await flooding;
  return { p99Ms: flooded, perSecond: done / took };
}

function waitingRow(all: readonly Round[], name: Stay): Row {
  const quiet = all.map(({ quietMs }) => quietMs);
  const flooded = all.map(({ waiting }) => waiting[name].p99Ms);
  const perSecond = Math.round(median(all.map(({ waiting }) => waiting[name].perSecond)));
  const least = Math.min(...all.map(({ waiting }) => waiting[name].least));
  return {
    benchmark: "challenge",
    measure: `packet, p99 beside ${waitingCount} clients that ${name}`,
    unit: "ms",
    value: median(flooded),
    others: { quiet: median(quiet) },
    ratio: { to: "quiet", value: medianRatio(flooded, quiet) },
    aim: { of: "ratio", is: "at most", limit: 1.3 },
    note:
      `${relayed.players} players on the same core; ${perSecond} clients ended and were replaced in a second, ` +
      `and never fewer than ${least} were in the check`,
  };
}

function saturatedRow(all: readonly Round[], name: (typeof failures)[number]): Row {
  const quiet = all.map(({ quietMs }) => quietMs);
  const flooded = all.map(({ saturated }) => saturated[name].p99Ms);
  const rate = (of: (round: Round) => Flooded): number =>
    Math.round(median(all.map((round) => of(round).perSecond)));
  return {
    benchmark: "challenge",
    measure: `packet, p99 beside a flood that fills the core and ${name}`,
    unit: "ms",
    value: median(flooded),
    others: {
      quiet: median(quiet),
      "C quiet": median(all.map(({ quietOfCMs }) => quietOfCMs)),
      C: median(all.map(({ saturatedC }) => saturatedC.p99Ms)),
    },
    ratio: { to: "quiet", value: medianRatio(flooded, quiet) },
    note:
      `${rate(({ saturated }) => saturated[name])} challenges a second; C: the C relay beside the C responder ` +
      `in place of the edge, ${rate(({ saturatedC }) => saturatedC)} kicks a second`,
  };
}
