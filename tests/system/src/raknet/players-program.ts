import { RakNetClient } from "@palisade/testing/bedrock/raknet-client";
import { RakNetServer } from "@palisade/testing/bedrock/raknet-server";
import { latenciesOf } from "../flood/latencies.ts";
import { bedrockPorts, clientsAddress, newcomerAddress, playerAddress } from "./plan.ts";
import type { BedrockMeasurement, PlayersOrder } from "./players-messages.ts";

/**
 * Bedrock players who send and wait for the echo all the time, newcomers, and their backend, in their
 * own process in the clients' namespace.
 *
 * Messages in: `PlayersOrder`. Messages out: `{ kind: "listening" }`, `{ kind: "playing" }` once all
 * have joined, and a `BedrockMeasurement` for each `measure`.
 */

const advertisement =
  "MCPE;A server with a long name, as many have: §aSurvival§r, §bSkyblock§r;766;1.21.50;20;100;4711;" +
  "And a second line of the message of the day;Survival;1;19132;19133;";
const echoEveryMs = 50;
const newcomerEveryMs = 500;
/** A newcomer who is not there by then has failed. */
const joinMaxMs = 5_000;
const gameId = 0xfe;

class Player {
  readonly client: RakNetClient;
  echoes = 0;
  isLost = false;

  constructor(client: RakNetClient) {
    this.client = client;
    client.on("close", () => (this.isLost = true));
    client.on("message", (body) => {
      samples.push(performance.now() - body.readDoubleBE(1));
      this.echoes += 1;
      setTimeout(() => this.send(), echoEveryMs);
    });
  }

  send(): void {
    if (this.isLost) return;
    const body = Buffer.alloc(32, 7);
    body[0] = gameId;
    body.writeDoubleBE(performance.now(), 1);
    this.client.sendReliable(body);
  }
}

let samples: number[] = [];
let players: Player[] = [];
let to = { host: "", port: 0 };
let welcoming: NodeJS.Timeout | undefined;
let newcomerNumber = 0;
let tried = 0;
let joinedMs: number[] = [];
let failures: string[] = [];
const joining = new Set<Promise<void>>();

const server = await RakNetServer.listen({
  host: clientsAddress,
  port: bedrockPorts.backend,
  advertisement,
  hasCookie: true,
  isEcho: true,
});
process.send?.({ kind: "listening" });

process.on("message", (order: PlayersOrder) => {
  if (order.do === "join") void join(order);
  else if (order.do === "welcome") {
    samples = [];
    for (const player of players) player.echoes = 0;
    welcoming = setInterval(() => void welcome(), newcomerEveryMs);
  } else void measure();
});
process.on("disconnect", () => process.exit());

async function join(order: { host: string; port: number; players: number }): Promise<void> {
  to = { host: order.host, port: order.port };
  players = await Promise.all(
    Array.from({ length: order.players }, async (_, n) => {
      const client = await RakNetClient.open({ ...to, from: playerAddress(n) });
      await client.connect();
      return new Player(client);
    }),
  );
  for (const player of players) player.send();
  process.send?.({ kind: "playing" });
}

function welcome(): Promise<void> {
  const done = joinOnce(newcomerAddress(newcomerNumber++));
  joining.add(done);
  return done.finally(() => joining.delete(done));
}

async function joinOnce(from: string): Promise<void> {
  tried += 1;
  const client = await RakNetClient.open({ ...to, from });
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  try {
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not joined after ${joinMaxMs} ms`)), joinMaxMs);
    });
    await Promise.race([client.connect(), tooLate]);
    joinedMs.push(performance.now() - startedAt);
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
    await client.close();
  }
}

async function measure(): Promise<void> {
  clearInterval(welcoming);
  const { p50Ms, p99Ms } = latenciesOf(samples);
  const echoes = samples.length;
  const silent = players.filter(({ echoes: count }) => count === 0).length;
  await Promise.all(joining);
  process.send?.({
    kind: "measured",
    echoes,
    p50Ms,
    p99Ms,
    lost: players.filter(({ isLost }) => isLost).length,
    silent,
    newcomers: { tried, joined: joinedMs.length, slowestMs: Math.max(0, ...joinedMs) },
    failures,
    sessions: server.peers.size,
  } satisfies BedrockMeasurement);
  tried = 0;
  joinedMs = [];
  failures = [];
}
