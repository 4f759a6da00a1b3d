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
 * Everything but the edge: bots, players, real clients and their servers, in the clients' namespace. The
 * argument is the real clients' version. Messages in: a `ClientsOrder` for a running edge. Messages out:
 * `{ kind: "ready" }` when the servers listen, each `Phase` as it begins, a `ClientsResult` at the end.
 */

/** The players that are connected already use the addresses from 4096 on. */
const addresses = { joining: 0, first: 4_095 } as const;

const [, , version = ""] = process.argv;
const [peers] = await Promise.all([startPeerHost(), startSessionServer(sessionServer)]);
const [game, players] = await Promise.all([
  peers.serve("Game", { version }),
  startHelper(new URL("./players-program.ts", import.meta.url)),
]);
await openGamePort(game.port);
process.on("disconnect", () => process.exit());
process.send?.({ kind: "ready" });
// Comes from the test, made from a checked plan.
const [order] = (await once(process, "message")) as [ClientsOrder];
process.send?.(await runClients(order));

async function runClients({ plan, ip4, ip6, port }: ClientsOrder): Promise<ClientsResult> {
  // The first join loads the data of the game, on both sides.
  const clients = { peers, edge: { host: ip4, port }, plan };
  const first = new RealClients(clients, "First", addresses.first);
  await first.join();
  const [failure] = first.counts.failures;
  if (failure !== undefined) throw new Error(`no client can join: ${failure}`);
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
    const swarm = await startHelper(new URL("./bots-program.ts", import.meta.url), {
      ...order,
      pings,
    });
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
  const { joinMs, ...counts } = joins.counts;
  const joined = { ...counts, latencies: latenciesOf(joinMs) };
  return { kind: "result", bots: sumOf(bots), joins: joined, quiet, floods };
}

function enter(phase: Phase): void {
  process.send?.(phase);
}

/** Measurement of the players since the last call. */
async function measured(): Promise<PlayersMeasurement> {
  tell({ do: "measure" });
  const [measurement] = (await once(players, "message")) as [PlayersMeasurement];
  return measurement;
}

function tell(message: PlayersOrder): void {
  players.send(message);
}

/** Waits for its first message. */
async function startHelper(program: URL, argument?: BotOrder): Promise<ChildProcess> {
  const child = fork(program, argument === undefined ? [] : [JSON.stringify(argument)]);
  process.on("exit", () => child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}
