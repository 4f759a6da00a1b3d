import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import {
  encodeConfigurationDisconnect,
  encodeConfigurationKeepAlive,
  encodeConfigurationKeepAliveAnswer,
} from "@palisade/minecraft-protocol/java/configuration";
import {
  acknowledgesLogin,
  encodeLoginSuccess,
  loginAcknowledged,
} from "@palisade/minecraft-protocol/java/login-success";
import {
  encodePlayDisconnect,
  encodePlayKeepAliveAnswer,
} from "@palisade/minecraft-protocol/java/play";
import { freePort } from "@palisade/testing/free-port";
import { type EdgeProgram, startEdge } from "#src/edge/edge-program.ts";
import {
  benchShields,
  checkedHost,
  checkFailed,
  checkingShields,
  loginAs,
  refusalPacket,
} from "#src/edge/sample-shields.ts";
import { compilerMissing } from "#src/programs/compile.ts";
import { type Exchange, runExchanges } from "#src/programs/exchange-load.ts";
import { joinPlayers, type Players } from "#src/programs/players-load.ts";
import { startResponder } from "#src/programs/responder.ts";
import { statusAnswer } from "#src/edge/status-backend.ts";
import type { Row } from "#src/report/row.ts";
import { median, medianRatio } from "#src/statistics/statistics.ts";
import { amplificationRows } from "./challenge-bytes.ts";
import { memoryRow } from "./challenge-memory.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";
import { exchanges } from "./answers.ts";
import { cpuEach, everyName } from "./flood.ts";
import { compare, interleaved } from "./interleaved-rounds.ts";
import { relayed } from "./relay.ts";

const ours = "palisade";
const level = "high";
const protocols = { "1.21": 767, "1.8": 47 } as const;
type Version = keyof typeof protocols;
const nothing = Buffer.alloc(0);
const digits = 8;
const name = `Bot${"0".repeat(digits)}`;
const uuidBytes = 16;

/** The cost of players who are checked, for the edge and for those who play. */
export const challenge: Benchmark = {
  name: "challenge",
  missing: compilerMissing,
  async run(options) {
    return [
      ...(await memoryRows(options)),
      ...(await cpuRows(options)),
      ...(await playersRows(options)),
      ...(await amplificationRows(options)),
    ];
  },
};

async function memoryRows({ say, against }: BenchmarkOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of ["high", "extreme"] as const) {
    for (const reach of ["asked", "standing"] as const) {
      say(`challenge: clients that wait in the check of ${each}, ${reach}`);
      rows.push(await memoryRow(each, reach, against));
    }
  }
  return rows;
}

/** The client hangs up in place of an answer, or gives a wrong one. */
const failures = ["leaves", "answers wrongly"] as const;

async function cpuRows({ rounds, seconds, say, against }: BenchmarkOptions): Promise<Row[]> {
  say("challenge: floods of clients that fail at the first step");
  const edges = [{ name: ours, edge: await startEdge(checkingShields(level)) }];
  const responder = await startResponder({ statusAnswer, kick: refusalPacket("00000000") });
  if (against !== undefined) {
    edges.push({
      name: "before",
      edge: await startEdge(checkingShields(level), { from: against }),
    });
  }
  try {
    const rows: Row[] = [];
    for (const version of ["1.21", "1.8"] as const) {
      for (const failure of failures) {
        const exchange = failing(version, failure);
        const servers = [
          ...edges.map((each) => ({ ...each, exchange })),
          { name: "C (kick)", edge: responder, exchange: exchanges.kick },
        ];
        const values = await interleaved(servers, rounds, (server) =>
          cpuEach(server.edge, async () => {
            const { port } = server.edge;
            return (await runExchanges(port, server.exchange, seconds, everyName)).done;
          }),
        );
        rows.push({
          benchmark: "challenge",
          measure: `client of ${version} that ${failure} at the first step: CPU each`,
          unit: "µs",
          ...compare(Object.fromEntries(values), ours, "C (kick)", "efficiency"),
          aim: { of: "value", is: "at most", limit: 60 },
          note: "from connecting to the end",
        });
      }
    }
    return rows;
  } finally {
    for (const { edge } of edges) await edge.stop();
    await responder.stop();
  }
}

/** Each bot has its own name. A game of 1.21 acknowledges its login before it is asked anything. */
export function failing(version: Version, failure: (typeof failures)[number]): Exchange {
  const protocol = protocols[version];
  const login = loginAs(name, { protocol, host: checkedHost(level) });
  const begun = { send: numbered(login), expect: loggedIn(protocol) };
  const title = `${version} ${failure}`;
  if (failure === "leaves") return { name: title, steps: [begun], closes: "client" };
  return { name: title, steps: [begun, wrongAnswer(protocol)], closes: "server" };
}

/** Before 1.20.2 the question, whose length differs, follows at once. */
function loggedIn(protocol: number): string {
  const uuid = Buffer.alloc(uuidBytes, 0xee);
  const success = encodeLoginSuccess(protocol, { uuid, name }).toString("hex");
  if (acknowledgesLogin(protocol)) return numbered(success.replace(/(ee){16}/, "..".repeat(16)));
  const text = Buffer.from("eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee");
  return `${numbered(success.replace(text.toString("hex"), "..".repeat(text.length)))}*`;
}

function wrongAnswer(protocol: number): Exchange["steps"][number] {
  const reason = componentFromText(checkFailed);
  // The edge asks with ids from 1 on.
  if (!acknowledgesLogin(protocol)) {
    return {
      send: (encodePlayKeepAliveAnswer(protocol, 0n) ?? nothing).toString("hex"),
      expect: (encodePlayDisconnect(protocol, reason) ?? nothing).toString("hex"),
    };
  }
  const answer = encodeConfigurationKeepAliveAnswer(protocol, 0n) ?? nothing;
  const question = (encodeConfigurationKeepAlive(protocol, 0n) ?? nothing).toString("hex");
  const kick = encodeConfigurationDisconnect(protocol, reason) ?? nothing;
  return {
    send: Buffer.concat([loginAcknowledged, answer]).toString("hex"),
    expect: question.replace(/(00){8}$/, "..".repeat(8)) + kick.toString("hex"),
  };
}

function numbered(bytes: Buffer | string): string {
  const zeros = Buffer.from("0".repeat(digits)).toString("hex");
  return bytes.toString("hex").replace(zeros, "..".repeat(digits));
}

/** At once, of the lowest priority, so that the players' program goes before. */
const floodOptions = { parallel: 256, nice: 19 } as const;

/** p99 of the players' packets without the flood and with it. */
interface Round {
  readonly quietMs: number;
  readonly floodedMs: number;
  readonly perSecond: number;
}

async function playersRows({ rounds, seconds, say }: BenchmarkOptions): Promise<Row[]> {
  say(
    `challenge: ${relayed.players} players, then a flood of clients that are checked beside them`,
  );
  const backendPort = await freePort();
  const edge = await startEdge([...benchShields(backendPort), ...checkingShields(level)]);
  const players = await joinPlayers(relayed.players, edge.port, backendPort);
  try {
    const rows: Row[] = [];
    for (const failure of failures) {
      const all: Round[] = [];
      for (let round = -1; round < rounds; round++) {
        const measured = await besideFlood(edge, players, failure, seconds);
        if (round >= 0) all.push(measured);
      }
      rows.push(playersRow(all, failure));
    }
    return rows;
  } finally {
    await players.stop();
    await edge.stop();
  }
}

async function besideFlood(
  edge: EdgeProgram,
  players: Players,
  failure: (typeof failures)[number],
  seconds: number,
): Promise<Round> {
  const p99Ms = async (): Promise<number> =>
    (await players.packets(seconds, relayed.up, relayed.down)).p99_us / 1_000;
  const quietMs = await p99Ms();
  const flood = { ...failing("1.21", failure), ...floodOptions };
  // One second longer, so that the flood lasts during the whole measurement.
  const flooding = runExchanges(edge.port, flood, seconds + 1, everyName);
  const floodedMs = await p99Ms();
  const { done, seconds: took } = await flooding;
  return { quietMs, floodedMs, perSecond: done / took };
}

function playersRow(all: readonly Round[], failure: string): Row {
  const quiet = all.map(({ quietMs }) => quietMs);
  const flooded = all.map(({ floodedMs }) => floodedMs);
  const perSecond = Math.round(median(all.map((round) => round.perSecond)));
  return {
    benchmark: "challenge",
    measure: `packet, p99 beside a flood that ${failure}`,
    unit: "ms",
    value: median(flooded),
    others: { quiet: median(quiet) },
    ratio: { to: "quiet", value: medianRatio(flooded, quiet) },
    aim: { of: "ratio", is: "at most", limit: 1.3 },
    note: `${relayed.players} players and ${perSecond} challenges a second on one core`,
  };
}
