import { benchShields, refusalPacket, requests } from "#src/edge/sample-shields.ts";
import { startEdge } from "#src/edge/edge-program.ts";
import { startStatusBackend, statusAnswer } from "#src/edge/status-backend.ts";
import { median } from "#src/statistics/statistics.ts";
import { freePort } from "@palisade/testing/free-port";
import { compilerMissing } from "#src/programs/compile.ts";
import { type Exchange, runExchanges } from "#src/programs/exchange-load.ts";
import { joinPlayers, type Players } from "#src/programs/players-load.ts";
import { startResponder } from "#src/programs/responder.ts";
import { exchanges } from "./answers.ts";
import type { Benchmark } from "./benchmark.ts";
import { relayed } from "./relay.ts";

/** p99 of players' packets during a flood, and the pings answered per second. */
interface Flooded {
  readonly delayMs: number;
  readonly pings: number;
}

interface Round {
  readonly quietMs: number;
  readonly edge: Flooded;
  /** The same pings to the C responder on the same core, in place of the edge's worker: the best possible result. */
  readonly beside: Flooded;
}

/** The niceness of the edge's worker. */
const workerNice = 5;

const pings: Exchange = {
  ...exchanges.status,
  steps: [{ send: requests.closedStatus.toString("hex"), expect: statusAnswer.toString("hex") }],
  nice: 19,
};

/** The effect on players while pings use all CPU time that the server's core has left. */
export const isolation: Benchmark = {
  name: "isolation",
  missing: compilerMissing,
  async run({ rounds, seconds, say }) {
    say(`isolation: ${relayed.players} players, then a flood of pings beside them`);
    const backendPort = await freePort();
    const status = await startStatusBackend();
    // The players' backend answers no pings.
    const edge = await startEdge(benchShields(backendPort, status.port));
    const responder = await startResponder(
      { statusAnswer, kick: refusalPacket("00000000") },
      workerNice,
    );
    const players = await joinPlayers(relayed.players, edge.port, backendPort);
    try {
      const all: Round[] = [];
      for (let round = -1; round < rounds; round++) {
        const measured = await measure(players, edge.port, responder.port, seconds);
        if (round >= 0) all.push(measured);
      }
      const ms = (of: (round: Round) => number): number => median(all.map(of));
      const rate = (of: (round: Round) => Flooded): number =>
        Math.round(median(all.map((round) => of(round).pings)));
      return [
        {
          benchmark: "isolation",
          measure: "packet, p99 added by pings",
          unit: "ms",
          value: ms(({ quietMs, edge: { delayMs } }) => delayMs - quietMs),
          others: {
            quiet: ms(({ quietMs }) => quietMs),
            flooded: ms(({ edge: { delayMs } }) => delayMs),
            "C beside": ms(({ quietMs, beside: { delayMs } }) => delayMs - quietMs),
          },
          aim: { of: "value", is: "at most", limit: 1 },
          note:
            `${rate(({ edge }) => edge)} pings/s on the core that the relay shares; C beside: ` +
            `added by ${rate(({ beside }) => beside)}/s that C answers there in place of the worker`,
        },
      ];
    } finally {
      await players.stop();
      await edge.stop();
      await responder.stop();
      status.stop();
    }
  },
};

async function measure(
  players: Players,
  edgePort: number,
  besidePort: number,
  seconds: number,
): Promise<Round> {
  const quiet = await players.packets(seconds, relayed.up, relayed.down);
  return {
    quietMs: quiet.p99_us / 1_000,
    edge: await flooded(players, edgePort, seconds),
    beside: await flooded(players, besidePort, seconds),
  };
}

async function flooded(players: Players, port: number, seconds: number): Promise<Flooded> {
  // One second longer, so that pings flood during the whole measurement.
  const flooding = runExchanges(port, pings, seconds + 1);
  const { p99_us } = await players.packets(seconds, relayed.up, relayed.down);
  const { done, seconds: took } = await flooding;
  return { delayMs: p99_us / 1_000, pings: done / took };
}
