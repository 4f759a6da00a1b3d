import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import {
  encodeOpenRequest1,
  encodePing,
  openReply1Bytes,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { createTestNetwork, type TestNetwork } from "@palisade/testing/network-namespaces";
import { cpuUsOfTree, rssBytesOfTree } from "@palisade/testing/process-stats";
import { until } from "@palisade/testing/until";
import { type FloodEdge, shieldOf, startEdgeIn } from "../flood/flood-edge.ts";
import { median } from "../flood/latencies.ts";
import {
  type DatagramFloodOrder,
  datagramFloodProgram,
  type DatagramFloodResult,
} from "./flood-order.ts";
import { bedrockPorts, firstSource, type RakNetPlan } from "./plan.ts";
import type { BedrockMeasurement, PlayersOrder } from "./players-messages.ts";
import { dropsOf, sessionsOf } from "./udp-sockets.ts";

const guid = 0x7061_6c69_7361_6465n;
const ping = encodePing(1n, guid);

/** Datagrams of the floods, each as short as the edge answers it: then the answers are the most. */
export const floods = {
  "first requests": encodeOpenRequest1(11, openReply1Bytes),
  pings: ping,
  /** Old clients leave their id out. */
  "short pings": ping.subarray(0, ping.length - 8),
} as const;
export type FloodName = keyof typeof floods;
export const floodNames = Object.keys(floods) as FloodName[];

const settleSeconds = 3;
const sampleMs = 250;

export interface FloodOfDatagrams {
  readonly name: FloodName;
  readonly sent: number;
  readonly answered: number;
  /** Bytes answered by bytes that reached the edge's socket, of UDP payload. */
  readonly amplification: number;
  /** Datagrams for which the edge's socket had no room. */
  readonly dropped: number;
  /** Answers that the flood's socket had no room for, so that they are not counted. */
  readonly unread: number;
  readonly players: BedrockMeasurement;
  /** Most sessions that the edge had at once, with those of newcomers and of its own pings. */
  readonly sessionsMax: number;
  /** Once the newcomers have left. */
  readonly sessionsAfter: number;
  readonly rssBefore: number;
  readonly rssAfter: number;
  readonly cpu: number;
}

export interface RakNetResult {
  readonly quiet: BedrockMeasurement;
  readonly floods: readonly FloodOfDatagrams[];
}

/** @throws when the edge or a program ends, or no player can join before the floods */
export async function runRakNet(
  plan: RakNetPlan,
  say: (line: string) => void,
): Promise<RakNetResult> {
  const network = createTestNetwork();
  let edge: FloodEdge | undefined;
  try {
    const file = fileURLToPath(new URL("./players-program.ts", import.meta.url));
    const players = network.clients.spawn(process.execPath, [file], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    await messageOf(players, "listening");
    edge = await startEdgeIn(network.edge, [bedrockShield()], {
      kernel: "off",
      workers: undefined,
    });
    say(`${plan.players} players join`);
    const { ip4: host } = network.edge;
    await ask(
      players,
      { do: "join", host, port: bedrockPorts.edge, players: plan.players },
      "playing",
    );
    const run: Run = { plan, network, edge, players };
    // Compiled code and heaps reach their size.
    say("warming up");
    for (const name of floodNames) await flood(run, name, 2);
    say("quiet");
    players.send({ do: "welcome" } satisfies PlayersOrder);
    await delay(settleSeconds * 1_000);
    const quiet = await ask<BedrockMeasurement>(players, { do: "measure" }, "measured");
    const results: FloodOfDatagrams[] = [];
    for (const name of floodNames) {
      say(`${plan.perSecond} ${name} a second from ${plan.sources} addresses`);
      results.push(await measure(run, name));
    }
    if (edge.child.exitCode !== null) throw new Error("the edge has ended");
    return { quiet, floods: results };
  } finally {
    await edge?.stop();
    network.remove();
  }
}

interface Run {
  readonly plan: RakNetPlan;
  readonly network: TestNetwork;
  readonly edge: FloodEdge;
  readonly players: ChildProcess;
}

async function measure(run: Run, name: FloodName): Promise<FloodOfDatagrams> {
  const { plan, edge, players } = run;
  const { pid } = edge;
  const sessions = (): number => sessionsOf(pid, run.network.clients.ip4, bedrockPorts.backend);
  await until(() => sessions() === plan.players, { what: "all newcomers to have left" });
  const rssBefore = await settledRss(pid);
  const dropsBefore = dropsOf(pid, bedrockPorts.edge);
  const cpuBefore = cpuUsOfTree(pid);
  let sessionsMax = 0;
  const sampling = setInterval(() => {
    sessionsMax = Math.max(sessionsMax, sessions());
  }, sampleMs);
  try {
    players.send({ do: "welcome" } satisfies PlayersOrder);
    const { sent, answered, sentBytes, answeredBytes, unread, seconds } = await flood(
      run,
      name,
      plan.seconds,
    );
    const cpu = (cpuUsOfTree(pid) - cpuBefore) / 1e6 / seconds;
    const dropped = dropsOf(pid, bedrockPorts.edge) - dropsBefore;
    const rssAfter = await settledRss(pid);
    const measured = await ask<BedrockMeasurement>(players, { do: "measure" }, "measured");
    const received = sentBytes - dropped * floods[name].length;
    let sessionsAfter = 0;
    // The edge's own ping of the backend has a socket for a moment.
    await until(
      () => {
        sessionsAfter = sessions();
        return sessionsAfter <= plan.players;
      },
      { what: "the newcomers' sessions to end" },
    );
    return {
      name,
      sent,
      answered,
      amplification: answeredBytes / received,
      dropped,
      unread,
      players: measured,
      sessionsMax,
      sessionsAfter,
      rssBefore,
      rssAfter,
      cpu,
    };
  } finally {
    clearInterval(sampling);
  }
}

/** Sends one kind of datagram for a time, in the clients' namespace. */
async function flood(
  { plan, network }: Run,
  name: FloodName,
  seconds: number,
): Promise<DatagramFloodResult> {
  const order: DatagramFloodOrder = {
    host: network.edge.ip4,
    port: bedrockPorts.edge,
    firstSource,
    sources: plan.sources,
    fromPort: bedrockPorts.flood,
    perSecond: plan.perSecond,
    seconds,
    datagram: floods[name].toString("hex"),
  };
  const program = network.clients.spawn(
    process.execPath,
    [datagramFloodProgram, JSON.stringify(order)],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  return messageOf<DatagramFloodResult>(program, "flooded");
}

/** A collection may be due at any moment, so it is the median of some seconds. */
async function settledRss(pid: number): Promise<number> {
  const values: number[] = [];
  for (let sample = 0; sample < (settleSeconds * 1_000) / sampleMs; sample += 1) {
    await delay(sampleMs);
    values.push(rssBytesOfTree(pid));
  }
  return median(values);
}

function bedrockShield(): ShieldConfig {
  const plain = shieldOf(1, "bedrock.example.org", bedrockPorts.backend);
  const groups = plain.groups.map((group) => ({
    ...group,
    backends: group.backends.map((each) => ({ ...each, bedrock_port: bedrockPorts.backend })),
  }));
  return { ...plain, groups, bedrock: { ports: [bedrockPorts.edge], only_in: [] } };
}

function ask<Answer extends object>(
  players: ChildProcess,
  order: PlayersOrder,
  kind: string,
): Promise<Answer> {
  const answer = messageOf<Answer>(players, kind);
  players.send(order);
  return answer;
}

/** The program's messages are of our own making. */
function messageOf<Message extends object>(program: ChildProcess, kind: string): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const hear = (message: object): void => {
    if ("kind" in message && message.kind === kind) resolve(message as Message);
  };
  const ended = (code: number | null): void => {
    reject(new Error(`a program of the soak ended with ${code} before it said: ${kind}`));
  };
  program.on("message", hear);
  program.once("exit", ended);
  return promise.finally(() => {
    program.off("message", hear);
    program.off("exit", ended);
  });
}
