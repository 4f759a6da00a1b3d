import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { startPeerHost } from "../minecraft/peer-host.ts";
import { startSessionServer } from "../verification/session-server.ts";
import type { BotCount, BotOrder } from "./bots.ts";
import { latenciesOf } from "./figures.ts";
import { sessionServer } from "./plan.ts";
import type { PlayersFigures, PlayersOrder } from "./players.ts";
import { openGamePort, RealJoins } from "./real-joins.ts";
import type { WorldOrder, WorldResult } from "./world-messages.ts";

/**
 * Everybody but the edge: bots, players, real clients and their servers, in the world's namespace.
 * The argument is the real clients' version. Messages in: a `WorldOrder` of an edge that runs; out:
 * `{ kind: "ready" }` once the servers are there, `{ kind: "flood" }` as it begins, a `WorldResult`
 * at the end.
 */

/** The regular players have those from 4096 on. */
const addresses = { joining: 0, first: 4_095 } as const;

const [, , version = ""] = process.argv;
const [peers, sessions] = await Promise.all([startPeerHost(), startSessionServer(sessionServer)]);
const [game, players] = await Promise.all([
  peers.serve("Game", { version }),
  startHelper("players"),
]);
await openGamePort(game.port);
process.on("disconnect", () => process.exit());
process.send?.({ kind: "ready" });
// Made by the harness, from a checked plan.
const [order] = (await once(process, "message")) as [WorldOrder];
process.send?.(await runWorld(order));

async function runWorld({ plan, host, port }: WorldOrder): Promise<WorldResult> {
  // The first join loads the data of the game, on both sides.
  const clients = { peers, sessions, edge: { host, port }, plan };
  const first = new RealJoins(clients, "First", addresses.first);
  await first.join();
  const [failure] = first.figures.failures;
  if (failure !== undefined) throw new Error(`nobody can join: ${failure}`);
  const joins = new RealJoins(clients, "Player", addresses.joining);

  tell({ do: "join", host, port, players: plan.players });
  await once(players, "message");
  await delay(1_000);
  await measured();
  await delay(plan.quietSeconds * 1_000);
  const quiet = await measured();

  process.send?.({ kind: "flood" });
  const { seconds, sources, kinds, botsPerSecond } = plan;
  const swarm = await startHelper("bots", { host, port, seconds, sources, kinds, botsPerSecond });
  let bots: BotCount | undefined;
  swarm.on("message", (count: BotCount) => (bots = count));
  const joining = joins.begin(plan.joinEveryMs);
  await once(swarm, "exit");
  const flood = await measured();
  await joins.end();
  await joining;
  if (bots === undefined) throw new Error("the bots have said nothing");
  const { joinMs, ...figures } = joins.figures;
  return {
    kind: "result",
    bots,
    joins: { ...figures, latencies: latenciesOf(joinMs) },
    quiet,
    flood,
  };
}

/** Of the players, since the last time. */
async function measured(): Promise<PlayersFigures> {
  tell({ do: "measure" });
  const [figures] = (await once(players, "message")) as [PlayersFigures];
  return figures;
}

function tell(message: PlayersOrder): void {
  players.send(message);
}

/** Waits for the first thing it says, unless it was given its order at once. */
async function startHelper(name: string, argument?: BotOrder): Promise<ChildProcess> {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = fork(file, argument === undefined ? [] : [JSON.stringify(argument)]);
  process.on("exit", () => child.kill("SIGKILL"));
  if (argument === undefined) await once(child, "message");
  return child;
}
