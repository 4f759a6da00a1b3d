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

/** The niceness of the edge's worker. */
export const workerNice = 5;

const floods: Readonly<Record<"pings" | "logins", Exchange>> = {
  pings: {
    ...exchanges.status,
    steps: [{ send: requests.closedStatus.toString("hex"), expect: statusAnswer.toString("hex") }],
    nice: 19,
  },
  logins: { ...counted, parallel: 256, nice: 19 },
};
type Flood = keyof typeof floods;

/** Players, and the port that is flooded beside them. */
interface Side {
  readonly players: Players;
  readonly port: number;
}

/** The edge; the C relay and the C responder in its place; the edge's relay process beside the C responder. */
const sideNames = ["ours", "C", "C beside"] as const;
type SideName = (typeof sideNames)[number];
type Sides = Readonly<Record<SideName, Side>>;

interface Round {
  readonly quietMs: Readonly<Record<"ours" | "C", number>>;
  readonly flooded: Readonly<Record<Flood, Readonly<Record<SideName, Flooded>>>>;
}

/** Both sides of a ratio count as this at least: less is noise. */
const addedMsMin = 0.1;

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
    const sides: Sides = {
      ours: { players, port: edge.port },
      C: { players: playersOfC, port: responder.port },
      "C beside": { players, port: responder.port },
    };
    try {
      const all: Round[] = [];
      for (let round = -1; round < rounds; round++) {
        const measured = await measure(sides, seconds);
        if (round >= 0) all.push(measured);
      }
      return (["pings", "logins"] as const).map((flood) => rowOf(all, flood));
    } finally {
      await players.stop();
      await playersOfC.stop();
      for (const program of [edge, responder, relay]) await program.stop();
      status.stop();
    }
  },
};

async function measure(sides: Sides, seconds: number): Promise<Round> {
  return {
    quietMs: {
      ours: await quietMs(sides.ours, seconds),
      C: await quietMs(sides.C, seconds),
    },
    flooded: {
      pings: await floodAll(sides, floods.pings, seconds),
      logins: await floodAll(sides, floods.logins, seconds),
    },
  };
}

async function quietMs({ players }: Side, seconds: number): Promise<number> {
  return (await players.packets(seconds, relayed.up, relayed.down)).p99_us / 1_000;
}

async function floodAll(
  sides: Sides,
  flood: Exchange,
  seconds: number,
): Promise<Record<SideName, Flooded>> {
  return {
    ours: await flooded(sides.ours, flood, seconds),
    C: await flooded(sides.C, flood, seconds),
    "C beside": await flooded(sides["C beside"], flood, seconds),
  };
}

async function flooded(side: Side, flood: Exchange, seconds: number): Promise<Flooded> {
  // One second longer, so that the flood lasts during the whole measurement.
  const flooding = runExchanges(side.port, flood, seconds + 1);
  const delayMs = await quietMs(side, seconds);
  const { done, seconds: took } = await flooding;
  return { delayMs, perSecond: done / took };
}

function rowOf(rounds: readonly Round[], flood: Flood): Row {
  const added = ({ quietMs: quiet, flooded: all }: Round, side: SideName): number =>
    all[flood][side].delayMs - quiet[side === "C" ? "C" : "ours"];
  const addedMs = (side: SideName): number => median(rounds.map((round) => added(round, side)));
  const rate = (side: SideName): number =>
    Math.round(median(rounds.map((round) => round.flooded[flood][side].perSecond)));
  const ratio = Math.max(addedMsMin, addedMs("ours")) / Math.max(addedMsMin, addedMs("C"));
  return {
    benchmark: "isolation",
    measure: `packet, p99 added by ${flood}`,
    unit: "ms",
    value: addedMs("ours"),
    others: {
      quiet: median(rounds.map(({ quietMs: quiet }) => quiet.ours)),
      flooded: median(rounds.map((round) => round.flooded[flood].ours.delayMs)),
      C: addedMs("C"),
      "C beside": addedMs("C beside"),
    },
    ratio: { to: "C", value: ratio },
    aim: { of: "value", is: "at most", limit: 1 },
    note:
      `${rate("ours")}/s on the core that the relay shares; C: C relay and C responder in place of the ` +
      `edge, ${rate("C")}/s, with a ratio of at most 1.3 wanted; C beside: the C responder in place of the ` +
      `worker alone, ${rate("C beside")}/s`,
  };
}
