import type { Analytics } from "@palisade/contract/http/analytics";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startMinecraftFixture,
  type BoughtShield,
  type MinecraftFixture,
} from "../minecraft/fixture.ts";
import { pingStatus, tryLogin } from "../minecraft/java-client.ts";
import type { HostedServer } from "../minecraft/peer-host.ts";
import { addresses, FreshPlayers } from "../minecraft/players.ts";

/** Real players, kicks and pings, and what the owner reads of them afterwards. */

const domain = "counted.example.com";
const blacklisted = "127.0.3.1";

let fixture: MinecraftFixture;
let server: HostedServer;
let players: FreshPlayers;
let shield: BoughtShield;

beforeAll(async () => {
  fixture = await startMinecraftFixture({}, "200");
  server = await fixture.peers.serve("counted", { version: "1.8.8" });
  players = new FreshPlayers(fixture);
  shield = await fixture.buy({ plan: "Pro", domain, port: server.port });
  const entry = { type: "blacklist" as const, ip: blacklisted };
  await fixture.applied(
    shield,
    fixture.owner(routes.firewall.addFirewallEntry, { params: shield.params, body: entry }),
  );
});
afterAll(() => fixture?.end());

async function analytics(): Promise<Analytics> {
  const query = { range: "24h" as const };
  const { data } = await fixture.owner(routes.analytics.getAnalytics, {
    params: shield.params,
    query: { ...query, compare: "false" },
  });
  return data;
}

/** Sums of the columns of the CSV, by name. */
async function exported(): Promise<Record<string, number>> {
  const { data } = await fixture.owner(routes.analytics.exportAnalytics, {
    params: shield.params,
    query: { range: "24h" },
  });
  const [head = "", ...lines] = data.trimEnd().split("\r\n");
  const sums = head.split(",").map((name, column) => {
    const values = lines.map((line) => Number(line.split(",")[column] ?? 0));
    return [name, values.reduce((sum, value) => sum + value, 0)] as const;
  });
  return Object.fromEntries(sums);
}

const joiners = addresses(9);

/** Each has an address of its own, so that no limit of joins applies. */
async function join(count: number): Promise<void> {
  const from = joiners.splice(0, count);
  await players.joinInTurn(domain, [server], from);
}

async function kick(name: string, from: string): Promise<void> {
  const outcome = await tryLogin({ edge: fixture.edge, host: domain, from }, name);
  expect(outcome.kind).toBe("kicked");
}

const ping = () => pingStatus({ edge: fixture.edge, host: domain, from: "127.0.4.1" });

interface Expected {
  readonly joins: number;
  readonly pings: number;
  readonly refused: Analytics["totals"]["refused"];
}

/** A minute that runs is told every few seconds. */
async function expectFigures({ joins, pings, refused }: Expected): Promise<void> {
  const told = () => analytics();
  await until(
    async () => (await told()).totals.joins >= joins && (await told()).totals.pings >= pings,
    {
      capMs: 90_000,
      what: "the last report of the edge",
    },
  );
  const { totals, versions, protocols } = await told();
  expect(totals).toMatchObject({ joins, pings, refused });
  expect(totals.refused).toEqual(refused);
  expect(totals.unique_players).toBe(joins);
  expect(totals.players_peak).toBeGreaterThan(0);
  expect(totals.bytes_down).toBeGreaterThan(0);
  expect(totals.attack_bytes).toBeGreaterThan(0);
  expect(versions.reduce((sum, { joins: count }) => sum + count, 0)).toBe(joins);
  expect(protocols).toEqual([{ protocol: 47, joins }]);
  const columns = await exported();
  expect(columns).toMatchObject({ joins, pings, bytes_down: totals.bytes_down });
  for (const [reason, count] of Object.entries(refused)) {
    expect(columns[`refused_${reason}`]).toBe(count);
  }
}

test("joins, kicks and pings are in the figures and the CSV exactly, also across a restart of the edge", async () => {
  await join(3);
  for (let count = 0; count < 4; count += 1) await ping();
  for (const name of ["Robot_1", "Robot_2"]) await kick(name, blacklisted);
  await kick("not a name", "127.0.3.2");
  const first = { joins: 3, pings: 4, refused: { blacklist: 2, invalid_name: 1 } };
  await expectFigures(first);

  // The edge tells the rest in its last report.
  await join(2);
  await ping();
  const before = await fixture.palisade.pidOf("edge");
  fixture.palisade.supervisor.kill("SIGUSR2");
  await until(async () => (await fixture.palisade.pidOf("edge").catch(() => before)) !== before, {
    capMs: 60_000,
    what: "the next edge",
  });
  await join(1);
  await kick("Robot_3", blacklisted);
  await expectFigures({ joins: 6, pings: 5, refused: { blacklist: 3, invalid_name: 1 } });
});
