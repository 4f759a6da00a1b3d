import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { startPeerHost } from "../minecraft/peer-host.ts";
import { startSessionServer } from "../verification/session-server.ts";
import { type BotCount, type BotOrder, sumOf } from "./bot-messages.ts";
import { latenciesOf } from "./latencies.ts";
import { sessionServer } from "./plan.ts";
import type { PlayersMeasurement, PlayersOrder } from "./players-program.ts";
import { openGamePort, RealClients } from "./real-clients.ts";
import type { Phase, ClientsOrder, ClientsResult } from "./clients-messages.ts";

/**
 * Everybody but the edge: bots, players, real clients and their servers, in the world's namespace.
 * The argument is the real clients' version. Messages in: a `WorldOrder` of an edge that runs; out:
 * `{ kind: "ready" }` once the servers are there, each `Phase` as it begins, a `WorldResult` at the end.
 */

/** The regular players have those from 4096 on. */
const addresses = { joining: 0, first: 4_095 } as const;

const [, , version = ""] = process.argv;
const [peers, sessions] = await Promise.all([startPeerHost(), startSessionServer(sessionServer)]);
const [game, players] = await Promise.all([
  peers.serve("Game", { version }),
  startHelper(new URL("./players-program.ts", import.meta.url)),
]);
await openGamePort(game.port);
process.on("disconnect", () => process.exit());
process.send?.({ kind: "ready" });
// Made by the harness, from a checked plan.
const [order] = (await once(process, "message")) as [ClientsOrder];
process.send?.(await runWorld(order));

async function runWorld({ plan, ip4, ip6, port }: ClientsOrder): Promise<ClientsResult> {
  // The first join loads the data of the game, on both sides.
  const clients = { peers, sessions, edge: { host: ip4, port }, plan };
  const first = new RealClients(clients, "First", addresses.first);
  await first.join();
  const [failure] = first.figures.failures;
  if (failure !== undefined) throw new Error(`nobody can join: ${failure}`);
  const joins = new RealClients(clients, "Player", addresses.joining);

  tell({ do: "join", host: ip4, port, players: plan.players });
  await once(players, "message");
  await delay(1_000);
  await measured();
  enter({ kind: "quiet" });
  await delay(plan.quietSeconds * 1_000);
  const quiet = await measured();

  const floods: PlayersMeasurement[] = [];
  const bots: BotCount[] = [];
  const { seconds, spread, sources, kinds, botsPerSecond } = plan;
  const order = { ip4, ip6, port, seconds, spread, sources, kinds, botsPerSecond };
  while (floods.length < plan.floods) {
    const flood = floods.length;
    const pings = plan.pings && flood === 0;
    if (pings) enter({ kind: "pings" });
    const swarm = await startHelper(new URL("./bots-program.ts", import.meta.url), { ...order, pings });
    swarm.on("message", (count: BotCount) => (bots[flood] = count));
    await measured();
    enter({ kind: "flood", flood });
    const joining = joins.begin(plan.joinEveryMs);
    await once(swarm, "exit");
    floods.push(await measured());
    await joins.end();
    await joining;
    enter({ kind: "rest", flood });
    await delay(plan.restSeconds * 1_000);
    await measured();
  }
  const { joinMs, ...figures } = joins.figures;
  const joined = { ...figures, latencies: latenciesOf(joinMs) };
  return { kind: "result", bots: sumOf(bots), joins: joined, quiet, floods };
}

function enter(phase: Phase): void {
  process.send?.(phase);
}

/** Of the players, since the last time. */
async function measured(): Promise<PlayersMeasurement> {
  tell({ do: "measure" });
  const [figures] = (await once(players, "message")) as [PlayersMeasurement];
  return figures;
}

function tell(message: PlayersOrder): void {
  players.send(message);
}

/** Waits for the first thing it says. */
async function startHelper(program: URL, argument?: BotOrder): Promise<ChildProcess> {
  const child = fork(program, argument === undefined ? [] : [JSON.stringify(argument)]);
  process.on("exit", () => child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}
