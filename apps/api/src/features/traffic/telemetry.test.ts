import { randomUUID } from "node:crypto";
import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import type { BackendHealth, TelemetryReport } from "@palisade/contract/edge/telemetry";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loginEntry } from "#src/test-support/login-entry.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  type TestEdge,
} from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import {
  deleteChallengeTimes,
  deleteOldReports,
} from "#src/features/telemetry/retention.repository.ts";
import { shieldStats, statusCacheStats } from "./traffic.service.ts";

let testApp: TestApp;
let staff: TestUser;
let owner: TestUser;
let edge: TestEdge;
let other: TestEdge;
let shieldId: string;
let bootId: string;
let seq: number;

beforeAll(async () => {
  testApp = await createTestApp();
  // Edges count in real minutes; the product's clock has to agree with them here.
  testApp.clock.set(withinTheHour());
  staff = await createStaff(testApp);
  edge = await enrolEdge(testApp, staff, { name: "one" });
  other = await enrolEdge(testApp, staff, { name: "two" });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
  bootId = randomUUID();
  seq = 0;
});

const minuteMs = 60_000;
/** Now, or a minute ago if the hour has just begun: the tests' two minutes belong to one hour. */
function withinTheHour(): Date {
  const now = new Date();
  return now.getUTCMinutes() === 0 ? new Date(now.getTime() - minuteMs) : now;
}

/** The start of the clock's minute, or of one before it. */
function minute(ago = 0): string {
  const now = testApp.clock.nowMs();
  return new Date(now - (now % minuteMs) - ago * minuteMs).toISOString();
}

function counters(changes: Partial<MinuteCounters> = {}): MinuteCounters {
  return {
    shield_id: shieldId,
    minute: minute(),
    joins: 1,
    pings: 2,
    refused: { blacklist: 3, offline: 1 },
    bytes_up: 1_000,
    bytes_down: 9_000,
    player_seconds: 120,
    players_max: 3,
    status_hits: 1,
    shadowed: {},
    challenged: 0,
    verified: 0,
    ...changes,
  };
}

function report(changes: Partial<TelemetryReport> = {}): TelemetryReport {
  seq += 1;
  return {
    boot_id: bootId,
    seq,
    minutes: [],
    live: [],
    backends: [],
    favicons: [],
    attacks: [],
    logins: [],
    ...changes,
  };
}

async function send(body: TelemetryReport, from = edge): Promise<boolean> {
  const answer = await call(testApp, routes.edge.telemetry, { token: from.credential, body });
  expect(answer.statusCode).toBe(200);
  return routes.edge.telemetry.response.parse(answer.json()).accepted;
}

async function overview(id = shieldId, user = owner) {
  const answer = await call(testApp, routes.servers.getOverview, {
    token: user.token,
    params: { id },
  });
  return routes.servers.getOverview.response.parse(answer.json());
}

describe("telemetry", () => {
  test("a report is counted once, however often and however simultaneously it arrives", async () => {
    const body = report({ minutes: [counters()] });
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(body)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await send(body)).toBe(false);
    const figures = await overview();
    expect(figures.traffic).toBe(10_000);
    expect(figures.history).toEqual([
      { minute: minute(), players: 2, joins: 1, pings: 2, refused: 3, bytes: 10_000 },
    ]);
    // The number alone says nothing: another start of the edge counts from 1 again.
    expect(await send({ ...body, boot_id: randomUUID() })).toBe(true);
    expect(await send({ ...body, boot_id: bootId }, other)).toBe(true);
    expect((await overview()).traffic).toBe(30_000);
  });

  test("reports that arrive out of order are all counted", async () => {
    const [one, two] = [report({ minutes: [counters()] }), report({ minutes: [counters()] })];
    expect(await send(two)).toBe(true);
    expect(await send(one)).toBe(true);
    expect((await overview()).traffic).toBe(20_000);
  });

  test("minutes of several edges and reports add up; the month is a calendar month", async () => {
    await send(report({ minutes: [counters(), counters({ minute: minute(1), joins: 5 })] }));
    await send(report({ minutes: [counters({ joins: 10 })] }), other);
    const figures = await overview();
    expect(figures.history.map(({ joins }) => joins)).toEqual([5, 11]);
    expect(figures.history.at(-1)?.players).toBe(4);
    expect(figures.blocked_connections).toBe(9);
    expect(figures).toMatchObject({
      traffic: 30_000,
      formatted_traffic: "30 KB",
      traffic_available: "1 TB",
      traffic_limit_bytes: 1_000_000_000_000,
    });
    const nextMonth = new Date(testApp.clock.nowMs() + 32 * 86_400_000);
    const window = { now: nextMonth, refusedSince: nextMonth, minutes: 1 };
    const later = await shieldStats(testApp.platform.db, shieldId, window);
    expect(later).toMatchObject({ monthBytes: 0, refused: 0 });
  });

  test("refusals are kept by their reason", async () => {
    await send(report({ minutes: [counters(), counters({ refused: { blacklist: 4 } })] }));
    const { rows } = await sql`
      select substr(key, 3) as reason, sum(value::bigint) as count
      from telemetry_hourly, jsonb_each_text(reasons) where shield_id = ${shieldId}
      group by 1 order by 1
    `.execute(testApp.platform.db);
    expect(rows).toEqual([
      { reason: "blacklist", count: "7" },
      { reason: "offline", count: "1" },
    ]);
  });

  test("players that would have been refused or checked are counted and shown for a day", async () => {
    const shadow = {
      refused: {},
      shadowed: { vpn: 2, rate: 1 },
      would_challenge: { protocol: 7 },
      challenged: 5,
      verified: 4,
    };
    const more = { shadowed: { vpn: 3 }, would_challenge: { protocol: 1, gravity: 2 } };
    await send(report({ minutes: [counters(shadow), counters(more)] }));
    const yesterday = { ...shadow, minute: minute(26 * 60), shadowed: { forge: 9 } };
    await send(report({ minutes: [counters(yesterday)] }));
    const answer = await call(testApp, routes.mitigation.getMitigation, {
      token: owner.token,
      params: { id: shieldId },
    });
    expect(answer.json().shadowed_24h).toEqual({ vpn: 5, rate: 1 });
    expect(answer.json().would_challenge_24h).toEqual({ protocol: 8, gravity: 2 });
    // They were let in.
    expect((await overview()).blocked_connections).toBe(3);
    const { rows } = await sql`
      select sum(challenged) as challenged, sum(verified) as verified
      from telemetry_hourly where shield_id = ${shieldId}
    `.execute(testApp.platform.db);
    expect(rows).toEqual([{ challenged: "10", verified: "8" }]);
  });

  test("an edge speaks for shields of its own location only", async () => {
    const abroad = await enrolEdge(testApp, staff, {
      name: `abroad-${seq}-${bootId.slice(0, 8)}`,
      location: "frankfurt",
    });
    const live = [
      { shield_id: shieldId, players: 5, connections_per_second: 1, bandwidth_bps: 1 },
      { shield_id: randomUUID(), players: 5, connections_per_second: 1, bandwidth_bps: 1 },
    ];
    expect(await send(report({ minutes: [counters()], live }), abroad)).toBe(true);
    expect(await overview()).toMatchObject({ traffic: 0, players_online: 0, history: [] });
  });

  test("minutes from the future or the distant past are dropped", async () => {
    await send(
      report({ minutes: [counters({ minute: minute(-10) }), counters({ minute: minute(3_000) })] }),
    );
    expect((await overview()).history).toEqual([]);
  });

  test("times the database cannot read cost the report nothing else", async () => {
    const absurd = ["0000-01-01T00:00:00Z", `2026-01-01T00:00:00.${"1".repeat(500)}Z`];
    const backend_id = randomUUID();
    await send(
      report({
        minutes: [...absurd.map((time) => counters({ minute: time })), counters({ joins: 5 })],
        logins: absurd.map((at) => loginEntry({ at, shield_id: shieldId })),
        backends: absurd.map((changed_at) => ({
          shield_id: shieldId,
          backend_id,
          state: "up",
          players: 0,
          latency_ms: null,
          last_error: null,
          expects_proxy: false,
          answered_at: null,
          changed_at,
          bedrock: null,
        })),
      }),
    );
    expect((await overview()).history).toMatchObject([{ joins: 5 }]);
  });

  test("figures beyond reason do not break the sums", async () => {
    const absurd = { bytes_up: Number.MAX_SAFE_INTEGER, joins: Number.MAX_SAFE_INTEGER };
    for (let index = 0; index < 3; index += 1) {
      expect(await send(report({ minutes: [counters(absurd), counters(absurd)] }))).toBe(true);
    }
    expect((await overview()).traffic).toBeGreaterThan(1_000_000_000_000);
  });

  test("gauges are those of the newest report; what it leaves out is over", async () => {
    const gauge = {
      shield_id: shieldId,
      players: 7,
      connections_per_second: 1.5,
      bandwidth_bps: 12_000_000,
    };
    const early = report({ live: [{ ...gauge, players: 99 }] });
    await send(report({ live: [gauge] }));
    await send(report({ live: [{ ...gauge, players: 1 }] }), other);
    expect(await overview()).toMatchObject({
      players_online: 8,
      connections_per_second: 3,
      bandwidth_bps: 24_000_000,
      formatted_bandwidth: "24 Mbit/s",
    });
    // Overtaken on the way: not newer, so not now.
    await send(early);
    expect((await overview()).players_online).toBe(8);
    await send(report());
    expect((await overview()).players_online).toBe(1);
    await sql`update live_gauges set at = at - interval '31 seconds'`.execute(testApp.platform.db);
    expect((await overview()).players_online).toBe(0);
  });

  test("the list and the dashboard show players and refusals of the last day", async () => {
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    const live = [{ shield_id: shieldId, players: 2, connections_per_second: 0, bandwidth_bps: 0 }];
    // A full hour of 6 players, three hours ago, so that its mean does not depend on the minute.
    await send(
      report({ minutes: [counters({ minute: minute(180), player_seconds: 21_600 })], live }),
    );
    const list = async (token: string) => {
      const answer = await call(testApp, routes.servers.listServers, { token });
      return routes.servers.listServers.response.parse(answer.json()).data[0];
    };
    const item = await list(owner.token);
    expect(item?.players_online).toBe(2);
    expect(item?.players_history.filter((players) => players > 0)).toEqual([6]);
    const dashboard = async (token: string) => {
      const answer = await call(testApp, routes.profile.getDashboard, { token });
      return routes.profile.getDashboard.response.parse(answer.json());
    };
    const own = await dashboard(owner.token);
    expect(own).toMatchObject({
      balance: "0.00",
      balance_cents: 0,
      game_shields: 1,
      active_game_shields: 1,
      blocked_packets: 3,
    });
    expect(own.players_history).toEqual(item?.players_history);
    expect(own.blocked_history.reduce((sum, count) => sum + count, 0)).toBe(3);
    // A member sees the players, but refusals count for the owner.
    expect(await dashboard(member.token)).toMatchObject({ game_shields: 1, blocked_packets: 0 });
    expect(await dashboard((await createUser(testApp)).token)).toMatchObject({
      game_shields: 0,
      average_online: 0,
      players_history: Array.from({ length: 24 }, () => 0),
    });
  });

  test("status answers from the cache are counted, and never more of them than pings", async () => {
    await send(report({ minutes: [counters({ pings: 10, status_hits: 8 })] }));
    await send(report({ minutes: [counters({ minute: minute(1), pings: 5, status_hits: 2 })] }));
    const since = new Date(testApp.clock.nowMs() - 2 * minuteMs);
    const { db } = testApp.platform;
    expect(await statusCacheStats(db, shieldId, since)).toEqual({ pings: 15, hits: 10 });
    await send(report({ minutes: [counters({ pings: 0, status_hits: 1e12 })] }));
    expect(await statusCacheStats(db, shieldId, since)).toEqual({ pings: 15, hits: 15 });
    expect(await statusCacheStats(db, randomUUID(), since)).toEqual({ pings: 0, hits: 0 });
  });

  test("cleaning keeps reports whose minutes are not rolled up, and drops others after a week", async () => {
    const { db } = testApp.platform;
    await send(report({ minutes: [counters()] }));
    await sql`update telemetry_reports set received_at = received_at - interval '8 days'`.execute(
      db,
    );
    const reports = () =>
      db.selectFrom("telemetry_reports").select("seq").where("boot_id", "=", bootId).execute();
    await deleteOldReports(db);
    expect(await reports()).toHaveLength(1);
    await sql`update telemetry_reports set rolled = 3`.execute(db);
    await deleteOldReports(db);
    expect(await reports()).toHaveLength(0);
  });
});

describe("health of backends", () => {
  async function firstBackend(of = shieldId): Promise<string> {
    const { id } = await testApp.platform.db
      .selectFrom("backends")
      .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
      .select("backends.id")
      .where("backend_groups.shield_id", "=", of)
      .executeTakeFirstOrThrow();
    return id;
  }

  async function health(changes: Partial<BackendHealth> = {}): Promise<BackendHealth> {
    return {
      shield_id: shieldId,
      backend_id: await firstBackend(),
      state: "up",
      players: 3,
      latency_ms: 12,
      last_error: null,
      expects_proxy: false,
      answered_at: null,
      changed_at: minute(1),
      bedrock: null,
      ...changes,
    };
  }

  function stored() {
    return testApp.platform.db
      .selectFrom("backend_health")
      .innerJoin("backends", "backends.id", "backend_health.backend_id")
      .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
      .select(["edge_id", "state", "players", "latency_ms", "last_error"])
      .where("backend_groups.shield_id", "=", shieldId)
      .orderBy("edge_id")
      .execute();
  }

  test("each edge has one row a backend: the newest; what a report leaves out stays", async () => {
    await send(report({ backends: [await health({ state: "down", last_error: "refused" })] }));
    const late = report({ backends: [await health({ state: "down" })] });
    await send(report({ backends: [await health()] }));
    await send(late);
    await send(report());
    expect(await stored()).toEqual([
      { edge_id: edge.id, state: "up", players: "3", latency_ms: 12, last_error: null },
    ]);
    await send(report({ backends: [await health({ players: 1 })] }), other);
    expect((await stored()).map(({ players }) => players).sort()).toEqual(["1", "3"]);
  });

  test("a Bedrock port's health is stored for the port that the server has now, and apart from Java's", async () => {
    const { db } = testApp.platform;
    const id = await firstBackend();
    await db.updateTable("backends").set({ bedrock_port: 19_132 }).where("id", "=", id).execute();
    const bedrock = {
      port: 19_132,
      state: "down",
      players: 1,
      latency_ms: 9,
      last_error: "timeout",
      changed_at: minute(1),
    } as const;
    const rows = () =>
      db
        .selectFrom("bedrock_health")
        .select(["state", "players", "latency_ms", "last_error"])
        .where("backend_id", "=", id)
        .execute();
    await send(report({ backends: [await health({ bedrock: { ...bedrock, port: 19_133 } })] }));
    expect(await rows()).toEqual([]);
    await send(report({ backends: [await health({ bedrock })] }));
    expect(await rows()).toEqual([
      { state: "down", players: "1", latency_ms: 9, last_error: "timeout" },
    ]);
    expect(await stored()).toMatchObject([{ state: "up", players: "3" }]);
    await send({ ...report(), boot_id: randomUUID() });
    expect(await rows()).toEqual([]);
  });

  test("a backend that expects PROXY protocol is stored as such", async () => {
    const backend = { state: "down", last_error: "not_minecraft", expects_proxy: true } as const;
    await send(report({ backends: [await health(backend)] }));
    const rows = await testApp.platform.db
      .selectFrom("backend_health")
      .select("expects_proxy")
      .where("backend_id", "=", await firstBackend())
      .execute();
    expect(rows).toEqual([{ expects_proxy: true }]);
  });

  test("the newest report says whether the edge has VPN lists", async () => {
    const vpnLists = async () => {
      const { vpn_lists } = await testApp.platform.db
        .selectFrom("edges")
        .select("vpn_lists")
        .where("id", "=", edge.id)
        .executeTakeFirstOrThrow();
      return vpn_lists;
    };
    expect(await vpnLists()).toBeNull();
    const late = report({ vpn_lists: true });
    await send(report({ vpn_lists: false }));
    await send(late);
    expect(await vpnLists()).toBe(false);
    await send(report({ vpn_lists: true }));
    expect(await vpnLists()).toBe(true);
    await send(report());
    expect(await vpnLists()).toBeNull();
  });

  test("an edge that has started again knows nothing of before", async () => {
    await send(report({ backends: [await health()] }));
    await send({ ...report(), boot_id: randomUUID() });
    expect(await stored()).toEqual([]);
  });

  test("a start that another has followed brings counters, and undoes nothing of the other's", async () => {
    const boots = [bootId, randomUUID()];
    const gauge = { shield_id: shieldId, connections_per_second: 0, bandwidth_bps: 0 };
    for (const [turn, players] of [3, 5, 0, 5, 0].entries()) {
      const live = players === 0 ? [] : [{ ...gauge, players }];
      const backends = turn === 1 ? [await health({ players: 7 })] : [];
      const boot_id = boots[turn % 2] ?? bootId;
      await send({ ...report({ live, backends, minutes: [counters()] }), boot_id });
      expect((await overview()).players_online).toBe(turn === 0 ? 3 : 5);
    }
    expect(await stored()).toMatchObject([{ players: "7" }]);
    const { rows } = await sql<{ joins: string }>`
      select sum(joins) as joins from telemetry_minutes where shield_id = ${shieldId}
    `.execute(testApp.platform.db);
    expect(rows).toEqual([{ joins: "5" }]);
  });

  test("another's shield, an unknown backend and hostile numbers count for nothing or are capped", async () => {
    const stranger = (await createShield(testApp, await createUser(testApp))).id;
    const abroad = await enrolEdge(testApp, staff, {
      name: `abroad-h-${bootId.slice(0, 8)}`,
      location: "frankfurt",
    });
    await send(report({ backends: [await health()] }), abroad);
    await send(
      report({
        backends: [
          await health({ shield_id: stranger }),
          await health({ backend_id: await firstBackend(stranger) }),
          await health({ backend_id: randomUUID() }),
        ],
      }),
    );
    expect(await stored()).toEqual([]);
    const hostile = { players: Number.MAX_SAFE_INTEGER, changed_at: "9999-12-31T23:59:59.999Z" };
    await send(report({ backends: [await health(), await health(hostile)] }));
    expect(await stored()).toMatchObject([{ players: "1000000000000" }]);
  });
});

describe("times to pass the checks", () => {
  test("add up over reports and edges by challenge and version, once each, for the owner to read", async () => {
    const counted = (failed: number) => [0, 2, 0, 0, 0, 0, 0, 1, failed];
    const first = report({
      minutes: [
        counters({ challenges: [["gravity:765", counted(1)]] }),
        counters({ minute: minute(1), challenges: [["gravity:765", counted(1)]] }),
      ],
    });
    for (const sent of [first, first]) await send(sent);
    await send(report({ minutes: [counters({ challenges: [["gravity:765", counted(0)]] })] }));
    await send(report({ minutes: [counters({ challenges: [["gravity:", counted(5)]] })] }), other);
    const params = { id: shieldId };
    const { getChallenges } = routes.mitigation;
    const read = () => call(testApp, getChallenges, { token: owner.token, params });
    expect((await read()).json()).toEqual({
      days: 7,
      challenges: [
        {
          challenge: "gravity",
          passed: 12,
          failed: 7,
          median_ms: 875,
          versions: [
            { protocol: 765, version: "1.20.4", passed: 9, failed: 2, median_ms: 875 },
            { protocol: null, version: null, passed: 3, failed: 5, median_ms: 875 },
          ],
        },
      ],
    });
    const { db } = testApp.platform;
    await deleteChallengeTimes(db, testApp.clock.nowMs() + 86_400_000);
    expect((await read()).json().challenges).toEqual([]);
  });

  test("counts in no known form cost the report nothing else", async () => {
    const strange = [["premium:x", [1]]] as unknown as MinuteCounters["challenges"];
    await send(report({ minutes: [counters({ challenges: strange })] }));
    expect((await overview()).traffic).toBe(10_000);
    const rows = await testApp.platform.db
      .selectFrom("challenge_times")
      .select("shield_id")
      .where("shield_id", "=", shieldId)
      .execute();
    expect(rows).toEqual([]);
  });
});
