import { benchShields, requests } from "#src/edge/bench-shields.ts";
import { startEdge } from "#src/edge/edge-program.ts";
import { startStatusBackend, statusAnswer } from "#src/edge/status-backend.ts";
import { median } from "#src/figures/figures.ts";
import { freePort } from "@palisade/testing/free-port";
import { compilerMissing } from "#src/programs/compile.ts";
import { type Exchange, runExchanges } from "#src/programs/exchange-load.ts";
import { joinPlayers, type Players } from "#src/programs/players-load.ts";
import { exchanges } from "./answers.ts";
import type { Benchmark } from "./benchmark.ts";
import { relayed } from "./relay.ts";

interface Round {
  readonly quietMs: number;
  readonly floodedMs: number;
  readonly pings: number;
}

const pings: Exchange = {
  ...exchanges.status,
  steps: [{ send: requests.closedStatus.toString("hex"), expect: statusAnswer.toString("hex") }],
  isMeek: true,
};

/** What players notice while pings take whatever the server's core gives. */
export const isolation: Benchmark = {
  name: "isolation",
  missing: compilerMissing,
  async run({ rounds, seconds, say }) {
    say(`isolation: ${relayed.players} players, then pings as fast as they go beside them`);
    const backendPort = await freePort();
    const status = await startStatusBackend();
    // Players have a backend of their own, which answers no pings.
    const edge = await startEdge(benchShields(backendPort, status.port));
    const players = await joinPlayers(relayed.players, edge.port, backendPort);
    try {
      const all: Round[] = [];
      for (let round = -1; round < rounds; round++) {
        const figures = await measure(players, edge.port, seconds);
        if (round >= 0) all.push(figures);
      }
      const added = all.map(({ quietMs, floodedMs }) => floodedMs - quietMs);
      const rate = median(all.map(({ pings }) => pings)) / seconds;
      return [
        {
          benchmark: "isolation",
          measure: "packet, p99 added by pings",
          unit: "ms",
          value: median(added),
          others: {
            quiet: median(all.map((one) => one.quietMs)),
            flooded: median(all.map((one) => one.floodedMs)),
          },
          aim: { of: "value", is: "at most", limit: 1 },
          note: `${Math.round(rate)} pings/s on the core that the relay shares`,
        },
      ];
    } finally {
      await players.stop();
      await edge.stop();
      status.stop();
    }
  },
};

async function measure(players: Players, port: number, seconds: number): Promise<Round> {
  const quiet = await players.packets(seconds, relayed.up, relayed.down);
  // A little longer than the packets on either side.
  const flooding = runExchanges(port, pings, seconds + 1);
  const flooded = await players.packets(seconds, relayed.up, relayed.down);
  const { done, seconds: took } = await flooding;
  return {
    quietMs: quiet.p99_us / 1_000,
    floodedMs: flooded.p99_us / 1_000,
    pings: (done / took) * seconds,
  };
}
