import {
  benchShields,
  protectedShields,
  refusalPacket,
  requests,
} from "#src/edge/sample-shields.ts";
import { startEdge } from "#src/edge/edge-program.ts";
import { startStatusBackend, statusAnswer } from "#src/edge/status-backend.ts";
import { median } from "#src/statistics/statistics.ts";
import { freePort } from "@palisade/testing/free-port";
import { startCRelay } from "#src/programs/c-relay.ts";
import { compilerMissing } from "#src/programs/compile.ts";
import { type Exchange, runExchanges } from "#src/programs/exchange-load.ts";
import { joinPlayers, type Players } from "#src/programs/players-load.ts";
import { startResponder } from "#src/programs/responder.ts";
import type { Row } from "#src/report/row.ts";
import { exchanges } from "./answers.ts";
import type { Benchmark } from "./benchmark.ts";
import { counted } from "./flood.ts";
import { relayed } from "./relay.ts";

/** p99 of players' packets during a flood, and the connections answered per second. */
interface Flooded {
  readonly delayMs: number;
  readonly perSecond: number;
}

interface Round {
  readonly quietMs: number;
  readonly pings: Flooded;
  /** The same pings to the C responder on the same core, in place of the edge's worker: the best possible result. */
  readonly pingsBeside: Flooded;
  readonly logins: Flooded;
  /** Players of the C relay, without a flood and while the C responder refuses the same logins. */
  readonly quietOfCMs: number;
  readonly loginsOfC: Flooded;
}

/** The niceness of the edge's worker; its relay process has 0. */
const workerNice = 5;

const pings: Exchange = {
  ...exchanges.status,
  steps: [{ send: requests.closedStatus.toString("hex"), expect: statusAnswer.toString("hex") }],
  nice: 19,
};
const logins: Exchange = { ...counted, parallel: 256, nice: 19 };

/** Players, and the port that is flooded beside them. */
interface Side {
  readonly players: Players;
  readonly port: number;
}

/** The effect on players while a flood uses all CPU time that the server's core has left. */
export const isolation: Benchmark = {
  name: "isolation",
  missing: compilerMissing,
  async run({ rounds, seconds, say }) {
    say(`isolation: ${relayed.players} players, then floods of pings and of logins beside them`);
    const backendPort = await freePort();
    const backendPortOfC = await freePort();
    const status = await startStatusBackend();
    // The players' backend answers no pings.
    const shields = [...benchShields(backendPort, status.port), ...protectedShields()];
    const edge = await startEdge(shields);
    const responder = await startResponder(
      { statusAnswer, kick: refusalPacket("00000000") },
      workerNice,
    );
    const relay = await startCRelay(backendPortOfC);
    const players = await joinPlayers(relayed.players, edge.port, backendPort);
    const playersOfC = await joinPlayers(relayed.players, relay.port, backendPortOfC);
    const ours: Side = { players, port: edge.port };
    const beside: Side = { players, port: responder.port };
    const ofC: Side = { players: playersOfC, port: responder.port };
    try {
      const all: Round[] = [];
      for (let round = -1; round < rounds; round++) {
        const measured = await measure({ ours, beside, ofC }, seconds);
        if (round >= 0) all.push(measured);
      }
      return rowsOf(all);
    } finally {
      await players.stop();
      await playersOfC.stop();
      for (const program of [edge, responder, relay]) await program.stop();
      status.stop();
    }
  },
};

async function measure(
  { ours, beside, ofC }: Record<"ours" | "beside" | "ofC", Side>,
  seconds: number,
): Promise<Round> {
  return {
    quietMs: await quietMs(ours, seconds),
    pings: await flooded(ours, pings, seconds),
    pingsBeside: await flooded(beside, pings, seconds),
    logins: await flooded(ours, logins, seconds),
    quietOfCMs: await quietMs(ofC, seconds),
    loginsOfC: await flooded(ofC, logins, seconds),
  };
}

async function quietMs({ players }: Side, seconds: number): Promise<number> {
  return (await players.packets(seconds, relayed.up, relayed.down)).p99_us / 1_000;
}

async function flooded(side: Side, flood: Exchange, seconds: number): Promise<Flooded> {
  // One second longer, so that the flood lasts during the whole measurement.
  const flooding = runExchanges(side.port, flood, seconds + 1);
  const delayMs = await quietMs(side, seconds);
  const { done, seconds: took } = await flooding;
  return { delayMs, perSecond: done / took };
}

function rowsOf(rounds: readonly Round[]): Row[] {
  const ms = (of: (round: Round) => number): number => median(rounds.map(of));
  const rate = (of: (round: Round) => Flooded): number =>
    Math.round(median(rounds.map((round) => of(round).perSecond)));
  return [
    {
      benchmark: "isolation",
      measure: "packet, p99 added by pings",
      unit: "ms",
      value: ms(({ quietMs: quiet, pings: { delayMs } }) => delayMs - quiet),
      others: {
        quiet: ms(({ quietMs: quiet }) => quiet),
        flooded: ms(({ pings: { delayMs } }) => delayMs),
        "C beside": ms(({ quietMs: quiet, pingsBeside: { delayMs } }) => delayMs - quiet),
      },
      aim: { of: "value", is: "at most", limit: 1 },
      note:
        `${rate((round) => round.pings)} pings/s on the core that the relay shares; C beside: ` +
        `added by ${rate((round) => round.pingsBeside)}/s that C answers there in place of the worker`,
    },
    {
      benchmark: "isolation",
      measure: "packet, p99 added by logins",
      unit: "ms",
      value: ms(({ quietMs: quiet, logins: { delayMs } }) => delayMs - quiet),
      others: {
        quiet: ms(({ quietMs: quiet }) => quiet),
        flooded: ms(({ logins: { delayMs } }) => delayMs),
        C: ms(({ quietOfCMs, loginsOfC: { delayMs } }) => delayMs - quietOfCMs),
      },
      note:
        `${rate((round) => round.logins)} logins/s refused, ${logins.parallel} at a time; C: ` +
        `C relay and C responder in place of the edge, ${rate((round) => round.loginsOfC)}/s`,
    },
  ];
}
