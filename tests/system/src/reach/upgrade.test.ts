import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HostedServer } from "../minecraft/peer-host.ts";
import { setReachStage, type BoughtShield, type ReachStage } from "./stage.ts";

/** An edge of two threads that is upgraded and killed while people play and join. */

let stage: ReachStage;
let server: HostedServer;
let shield: BoughtShield;

beforeAll(async () => {
  stage = await setReachStage({ PALISADE_EDGE_WORKERS: "2" });
  server = await stage.peers.serve("lobby");
  shield = await stage.buy({ domain: "play.example.com", port: server.port });
});

afterAll(async () => {
  await stage?.end();
});

let serial = 0;

function join() {
  const player = `Guest_${++serial}`;
  const from = `127.0.3.${serial}`;
  const visit = { edge: stage.edge, hostname: shield.domain, player, from };
  return stage.peers.join(visit).then((outcome) => ({ player, outcome: outcome.outcome }));
}

async function joinAll(count: number): Promise<string[]> {
  const joined = await Promise.all(Array.from({ length: count }, join));
  expect(joined.filter(({ outcome }) => outcome !== "joined")).toEqual([]);
  return joined.map(({ player }) => player);
}

/** Each says something to the server and hears it back. */
async function expectPlaying(players: readonly string[]): Promise<void> {
  await Promise.all(players.map((player) => stage.peers.echo(player, `${player} is here`)));
  expect(server.players()).toEqual(expect.arrayContaining([...players]));
}

async function nextEdge(before: number): Promise<void> {
  await until(async () => (await stage.palisade.pidOf("edge").catch(() => before)) !== before);
  await until(async () => (await join()).outcome === "joined", { what: "a join at the next edge" });
}

test("players play on while the edge hands over to the next, which takes joins, and after its kill -9", async () => {
  const players = await joinAll(8);
  await expectPlaying(players);
  const first = await stage.palisade.pidOf("edge");
  process.kill(first, "SIGUSR2");
  await nextEdge(first);
  await expectPlaying(players);
  players.push(...(await joinAll(4)));
  const second = await stage.palisade.pidOf("edge");
  process.kill(second, "SIGKILL");
  await expectPlaying(players);
  await nextEdge(second);
  players.push(...(await joinAll(4)));
  await expectPlaying(players);
});
