import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HostedServer } from "../minecraft/peer-host.ts";
import {
  startMinecraftFixture,
  withoutAntibot,
  type BoughtShield,
  type MinecraftFixture,
} from "../minecraft/fixture.ts";

const threads = 2;

/** An edge of two threads that is upgraded and killed while people play and join. */

let fixture: MinecraftFixture;
let server: HostedServer;
let shield: BoughtShield;

beforeAll(async () => {
  fixture = await startMinecraftFixture({ PALISADE_EDGE_WORKERS: String(threads) });
  server = await fixture.peers.serve("lobby");
  shield = await fixture.buy({ domain: "play.example.com", port: server.port });
  await withoutAntibot(fixture, shield);
});

afterAll(async () => {
  await fixture?.end();
});

let serial = 0;

function join() {
  const player = `Guest_${++serial}`;
  // Each player has a network of their own.
  const from = `127.${3 + Math.floor(serial / 250)}.${serial % 250}.1`;
  const target = { edge: fixture.edge, hostname: shield.domain, player, from };
  return fixture.peers.join(target).then((outcome) => ({ player, outcome: outcome.outcome }));
}

async function joinAll(count: number): Promise<string[]> {
  const joined = await Promise.all(Array.from({ length: count }, join));
  expect(joined.filter(({ outcome }) => outcome !== "joined")).toEqual([]);
  return joined.map(({ player }) => player);
}

/** Each says something to the server and hears it back. */
async function expectPlaying(players: readonly string[]): Promise<void> {
  await Promise.all(players.map((player) => fixture.peers.echo(player, `${player} is here`)));
  expect(server.players()).toEqual(expect.arrayContaining([...players]));
}

/** By the edge that reports now: those who came to one before it as well. */
async function expectCounted({ length }: readonly string[]): Promise<void> {
  const { getOverview } = routes.servers;
  await until(
    async () =>
      (await fixture.owner(getOverview, { params: shield.params })).data.players_online === length,
    { what: `${length} players in the console` },
  );
}

const isAnother = async (before: number): Promise<boolean> =>
  (await fixture.palisade.pidOf("edge").catch(() => before)) !== before;

/** Players join one after the other until the predecessor has left. @returns the refused ones */
async function joinUntilFollowed(before: number): Promise<object[]> {
  const sentAway: object[] = [];
  let resets = 0;
  do {
    const target = await join();
    if (target.outcome === "joined") await fixture.peers.quit(target.player);
    else if (target.outcome === "closed") resets++;
    else sentAway.push(target);
  } while (!(await isAnother(before)));
  // The kernel resets a connection that meets the closing of a listener: one player joins at a time.
  expect(resets).toBeLessThanOrEqual(threads);
  return sentAway;
}

test("players join and play on while the edge hands over to the next, and play on after its kill -9", async () => {
  const players = await joinAll(8);
  await expectPlaying(players);
  const first = await fixture.palisade.pidOf("edge");
  fixture.palisade.supervisor.kill("SIGUSR2");
  expect(await joinUntilFollowed(first)).toEqual([]);
  await expectPlaying(players);
  players.push(...(await joinAll(4)));
  await expectCounted(players);
  const second = await fixture.palisade.pidOf("edge");
  process.kill(second, "SIGKILL");
  await expectPlaying(players);
  await until(async () => (await isAnother(second)) && (await join()).outcome === "joined");
  players.push(...(await joinAll(4)));
  await expectPlaying(players);
});
