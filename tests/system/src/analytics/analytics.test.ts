import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Analytics } from "@palisade/contract/http/analytics";
import { routes } from "@palisade/contract/http/routes";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startMinecraftFixture,
  type BoughtShield,
  type MinecraftFixture,
} from "../minecraft/fixture.ts";
import { pingStatus, tryLogin } from "../minecraft/java-client.ts";
import type { HostedServer } from "../minecraft/peer-host.ts";
import { addresses, FreshPlayers } from "../minecraft/players.ts";
import { databaseOf, runCommand } from "../product/palisade.ts";
import { startCountingProxy, type CountingProxy } from "./counting-proxy.ts";

/**
 * Real players, kicks and pings, and what the owner reads of them afterwards. Each test goes on from
 * what the tests before it have counted. The kicks of mitigation are compared in mitigation.test.ts.
 */

const domain = "counted.example.com";
const blacklisted = "127.0.3.1";

let fixture: MinecraftFixture;
let server: HostedServer;
let proxy: CountingProxy;
let players: FreshPlayers;
let shield: BoughtShield;

beforeAll(async () => {
  fixture = await startMinecraftFixture({}, "200");
  server = await fixture.peers.serve("counted", { version: "1.8.8" });
  proxy = await startCountingProxy(server);
  players = new FreshPlayers(fixture);
  shield = await fixture.buy({ plan: "Pro", domain, port: proxy.port });
  const entry = { type: "blacklist" as const, ip: blacklisted };
  await fixture.applied(
    shield,
    fixture.owner(routes.firewall.addFirewallEntry, { params: shield.params, body: entry }),
  );
});
afterAll(async () => {
  await fixture?.end();
  proxy?.close();
});

async function analytics({ params } = shield): Promise<Analytics> {
  const { data } = await fixture.owner(routes.analytics.getAnalytics, {
    params,
    query: { range: "24h", compare: "false" },
  });
  return data;
}

/** Sums of the columns of the CSV, by name. */
async function exported({ params } = shield): Promise<Record<string, number>> {
  const { data } = await fixture.owner(routes.analytics.exportAnalytics, {
    params,
    query: { range: "24h" },
  });
  const [head = "", ...lines] = data.trimEnd().split("\r\n");
  const sums = head.split(",").map((name, column) => {
    const values = lines.map((line) => Number(line.split(",")[column] ?? 0));
    return [name, values.reduce((sum, value) => sum + value, 0)] as const;
  });
  return Object.fromEntries(sums);
}

const joiners = addresses(20);
const inGame: string[] = [];

/** Each has an address of its own, so that no limit of joins applies. */
async function join(count: number): Promise<void> {
  const before = server.joins().length;
  await players.joinInTurn(domain, [server], joiners.splice(0, count));
  inGame.push(
    ...server
      .joins()
      .slice(before)
      .map(({ player }) => player),
  );
}

async function kick(name: string, from: string, host = domain): Promise<void> {
  const outcome = await tryLogin({ edge: fixture.edge, host, from }, name);
  expect(outcome.kind).toBe("kicked");
}

const ping = () => pingStatus({ edge: fixture.edge, host: domain, from: "127.0.4.1" });

interface Expected {
  readonly joins: number;
  readonly pings: number;
  readonly refused: Analytics["totals"]["refused"];
}

const sumOf = (counts: Analytics["totals"]["refused"]) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** A minute that runs is told every few seconds. */
async function expectFigures({ joins, pings, refused }: Expected): Promise<void> {
  const isTold = async () => {
    const { totals } = await analytics();
    const isRefused = sumOf(totals.refused) >= sumOf(refused);
    const isSeen = (totals.players_peak ?? 0) > 0;
    return totals.joins >= joins && totals.pings >= pings && isRefused && isSeen;
  };
  await until(isTold, { capMs: 90_000, everyMs: 500, what: "the last report of the edge" });
  const { totals, versions, protocols } = await analytics();
  expect(totals).toMatchObject({ joins, pings });
  expect(totals.refused).toEqual(refused);
  // An estimate by registers: sometimes two names share one.
  expect(totals.unique_players).toBeLessThanOrEqual(joins);
  expect(totals.unique_players).toBeGreaterThanOrEqual(joins - 2);
  expect(totals.players_peak).toBeGreaterThan(0);
  expect(totals.attack_bytes).toBeGreaterThan(0);
  expect(versions.reduce((sum, { joins: count }) => sum + count, 0)).toBe(joins);
  expect(protocols).toEqual([{ protocol: 47, joins }]);
  const columns = await exported();
  expect(columns).toMatchObject({ joins, pings });
  for (const [reason, count] of Object.entries(refused)) {
    expect(columns[`refused_${reason}`]).toBe(count);
  }
}

/** Once all players have left: what the server and they have sent each other. */
async function expectBytes(): Promise<void> {
  for (const player of inGame.splice(0)) await fixture.peers.quit(player);
  await until(() => proxy.players === 0, { what: "the end of the players' connections" });
  const { up, down } = proxy.counted;
  const told = async () => {
    const { totals } = await analytics();
    return totals.bytes_up >= up && totals.bytes_down >= down;
  };
  await until(told, { capMs: 90_000, everyMs: 500, what: `${up} and ${down} bytes` });
  const bytes = { bytes_up: up, bytes_down: down };
  expect((await analytics()).totals).toMatchObject(bytes);
  expect(await exported()).toMatchObject(bytes);
}

const processAfter = (program: "api" | "edge", before: number) =>
  until(async () => (await fixture.palisade.pidOf(program).catch(() => before)) !== before, {
    capMs: 60_000,
    what: `the next ${program}`,
  });

test("joins, kicks, pings and bytes are in the figures and the CSV exactly, also across a hot restart of the edge", async () => {
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
  await processAfter("edge", before);
  await join(1);
  await kick("Robot_3", blacklisted);
  await expectFigures({ joins: 6, pings: 5, refused: { blacklist: 3, invalid_name: 1 } });
  await expectBytes();
});

test("joins and kicks while the api is away are counted once, however its outage ends", async () => {
  const api = await fixture.palisade.pidOf("api");
  // A frozen api takes reports and answers none.
  process.kill(api, "SIGSTOP");
  await join(2);
  await ping();
  await kick("Robot_4", blacklisted);
  const log = path.join(fixture.palisade.home, "logs/edge.log");
  await until(async () => (await readFile(log, "utf8")).includes("telemetry cannot be delivered"), {
    capMs: 60_000,
    what: "a report without an answer",
  });
  await join(1);
  process.kill(api, "SIGKILL");
  await processAfter("api", api);
  await kick("Robot_5", blacklisted);
  await until(() => analytics().catch(() => false), { capMs: 60_000, what: "the next api" });
  await expectFigures({ joins: 9, pings: 6, refused: { blacklist: 5, invalid_name: 1 } });
  await expectBytes();
});

test("kill -9 of the edge takes nothing it has told, and nothing is counted twice", async () => {
  const before = await fixture.palisade.pidOf("edge");
  process.kill(before, "SIGKILL");
  await processAfter("edge", before);
  await until(() => ping().catch(() => false), { capMs: 60_000, what: "the next edge" });
  const body = { whitelist_only: true };
  await join(1);
  await fixture.applied(
    shield,
    fixture.owner(routes.firewall.updateFirewall, { params: shield.params, body }),
  );
  await kick("Robot_6", "127.0.3.3");
  await kick("Robot_7", blacklisted);
  await expectFigures({
    joins: 10,
    pings: 7,
    refused: { blacklist: 6, invalid_name: 1, whitelist_only: 1 },
  });
  await expectBytes();
});

test("kicks because the server is off, too many came at once or the shield is blocked are counted apart", async () => {
  const closed = await fixture.buy({ domain: "closed.example.com", port: await freePort() });
  const login = (n: number, from: string) =>
    tryLogin({ edge: fixture.edge, host: closed.domain, from }, `Crowd_${n}`);
  let kicks = 0;
  for (; kicks < 25; kicks += 1) expect((await login(kicks, "127.0.3.4")).kind).toBe("kicked");
  const { home } = fixture.palisade;
  await runCommand(home, ["shield", "block", closed.label, "--reason", "Test"]);
  await until(async () => {
    const outcome = await login(kicks, `127.0.5.${kicks - 24}`);
    kicks += 1;
    return outcome.kind === "kicked" && outcome.text.includes("blocked");
  });
  const refused = await until(
    async () => {
      const found = (await analytics(closed)).totals.refused;
      return sumOf(found) >= kicks && found;
    },
    { capMs: 90_000, everyMs: 500, what: "all kicks in the figures" },
  );
  expect(Object.keys(refused).toSorted()).toEqual(["blocked", "offline", "rate"]);
  expect(sumOf(refused)).toBe(kicks);
  expect(refused.blocked).toBe(1);
  expect(refused.rate).toBeGreaterThan(0);
  const columns = await exported(closed);
  for (const [reason, count] of Object.entries(refused)) {
    expect(columns[`refused_${reason}`]).toBe(count);
  }
  // The overview counts refusals, and a server that is off refuses none.
  const { data } = await fixture.owner(routes.servers.getOverview, { params: closed.params });
  expect(data.blocked_connections).toBe(kicks - (refused.offline ?? 0));
});

test("kicks because the shield is full, out of traffic or expired are counted apart", async () => {
  const { home } = fixture.palisade;
  const busy = await fixture.buy({
    plan: "Network",
    domain: "busy.example.com",
    port: proxy.port,
  });
  const database = new pg.Client((await databaseOf(home)).ownerUrl);
  database.on("error", () => undefined);
  await database.connect();
  let entries = 0;
  /** A state that takes much traffic otherwise, brought to the edge by a change of the owner's. */
  const change = async (statement: string, value: string): Promise<void> => {
    await database.query(statement, [value]);
    entries += 1;
    const body = { type: "blacklist" as const, ip: `127.0.7.${entries}` };
    const added = fixture.owner(routes.firewall.addFirewallEntry, { params: busy.params, body });
    await fixture.applied(busy, added);
  };
  const told: Record<string, number> = {};
  /**
   * Tries to join until the answer was given that often; counts every answer.
   *
   * @param again brings the state about once more, where a job of the product has taken it back
   */
  const beKicked = async (
    reason: keyof typeof answers,
    times: number,
    again?: () => Promise<void>,
  ): Promise<void> => {
    await until(async () => {
      const serial = sumOf(told) + 1;
      const login = { edge: fixture.edge, host: busy.domain, from: `127.0.6.${serial}` };
      const outcome = await tryLogin(login, `Late_${serial}`);
      const text = outcome.kind === "kicked" ? outcome.text : outcome.kind;
      const found = Object.entries(answers).find(([, answer]) => text.includes(answer));
      if (found === undefined) throw new Error(`No answer that was expected: ${text}`);
      told[found[0]] = (told[found[0]] ?? 0) + 1;
      if (found[0] !== reason) await again?.();
      return (told[reason] ?? 0) >= times;
    });
  };

  const limits = `update pricing_plans set limits = limits || '{"players": 1}' where name = $1`;
  await change(limits, "Network");
  await players.joinInTurn(busy.domain, [server], joiners.splice(0, 1));
  await beKicked("full", 2);
  const useUp = () => change("update shields set traffic_used_up = true where id = $1", busy.id);
  await useUp();
  await beKicked("traffic_used_up", 3, useUp);
  const ended = `update subscriptions set period_starts_at = now() - interval '120 days',
    period_ends_at = now() - interval '90 days' where shield_id = $1`;
  await database.query(ended, [busy.id]);
  for (const step of ["block", "unblock"]) {
    await runCommand(home, ["shield", step, busy.label, "--reason", "Test"]);
  }
  await beKicked("expired", 4);
  await database.end();

  const refused = await until(
    async () => {
      const found = (await analytics(busy)).totals.refused;
      return sumOf(found) >= sumOf(told) && found;
    },
    { capMs: 90_000, everyMs: 500, what: "all kicks in the figures" },
  );
  expect(refused).toEqual(told);
  const columns = await exported(busy);
  for (const [reason, count] of Object.entries(told)) {
    expect(columns[`refused_${reason}`]).toBe(count);
  }
});

/** Parts of what players read, by the reason that is counted. */
const answers = {
  full: "Too many players",
  traffic_used_up: "used up",
  expired: "expired",
  blocked: "blocked",
};
