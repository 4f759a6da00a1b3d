import { randomUUID } from "node:crypto";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { deleteOldReports } from "#src/features/telemetry/retention.repository.ts";
import { loginEntry } from "#src/test-support/login-entry.ts";
import { addMember, enrolEdge } from "#src/test-support/test-shields.ts";
import {
  eachTestHasTraffic,
  minuteMs,
  type TrafficOfTest,
} from "#src/test-support/test-traffic.ts";
import { call, createUser } from "#src/test-support/test-users.ts";
import { shieldStats, statusCacheStats } from "./traffic.service.ts";

let at: TrafficOfTest;
eachTestHasTraffic((current) => (at = current));

describe("telemetry", () => {
  test("a report is counted once, however often and however simultaneously it arrives", async () => {
    const body = at.report({ minutes: [at.counters()] });
    const answers = await Promise.all(Array.from({ length: 6 }, () => at.send(body)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await at.send(body)).toBe(false);
    const figures = await at.overview();
    expect(figures.traffic).toBe(10_000);
    expect(figures.history).toEqual([
      { minute: at.minute(), players: 2, joins: 1, pings: 2, refused: 3, bytes: 10_000 },
    ]);
    // The number alone says nothing: another start of the at.edge counts from 1 again.
    expect(await at.send({ ...body, boot_id: randomUUID() })).toBe(true);
    expect(await at.send({ ...body, boot_id: at.bootId }, at.other)).toBe(true);
    expect((await at.overview()).traffic).toBe(30_000);
  });

  test("reports that arrive out of order are all counted", async () => {
    const [one, two] = [
      at.report({ minutes: [at.counters()] }),
      at.report({ minutes: [at.counters()] }),
    ];
    expect(await at.send(two)).toBe(true);
    expect(await at.send(one)).toBe(true);
    expect((await at.overview()).traffic).toBe(20_000);
  });

  test("minutes of several edges and reports add up; the month is a calendar month", async () => {
    await at.send(
      at.report({ minutes: [at.counters(), at.counters({ minute: at.minute(1), joins: 5 })] }),
    );
    await at.send(at.report({ minutes: [at.counters({ joins: 10 })] }), at.other);
    const figures = await at.overview();
    expect(figures.history.map(({ joins }) => joins)).toEqual([5, 11]);
    expect(figures.history.at(-1)?.players).toBe(4);
    expect(figures.blocked_connections).toBe(9);
    expect(figures).toMatchObject({
      traffic: 30_000,
      formatted_traffic: "30 KB",
      traffic_available: "1 TB",
      traffic_limit_bytes: 1_000_000_000_000,
    });
    const nextMonth = new Date(at.testApp.clock.nowMs() + 32 * 86_400_000);
    const window = { now: nextMonth, refusedSince: nextMonth, minutes: 1 };
    const later = await shieldStats(at.testApp.platform.db, at.shieldId, window);
    expect(later).toMatchObject({ monthBytes: 0, refused: 0 });
  });

  test("refusals are kept by their reason", async () => {
    await at.send(
      at.report({ minutes: [at.counters(), at.counters({ refused: { blacklist: 4 } })] }),
    );
    const { rows } = await sql`
      select substr(key, 3) as reason, sum(value::bigint) as count
      from telemetry_hourly, jsonb_each_text(reasons) where shield_id = ${at.shieldId}
      group by 1 order by 1
    `.execute(at.testApp.platform.db);
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
    await at.send(at.report({ minutes: [at.counters(shadow), at.counters(more)] }));
    const yesterday = { ...shadow, minute: at.minute(26 * 60), shadowed: { forge: 9 } };
    await at.send(at.report({ minutes: [at.counters(yesterday)] }));
    const answer = await call(at.testApp, routes.mitigation.getMitigation, {
      token: at.owner.token,
      params: { id: at.shieldId },
    });
    expect(answer.json().shadowed_24h).toEqual({ vpn: 5, rate: 1 });
    expect(answer.json().would_challenge_24h).toEqual({ protocol: 8, gravity: 2 });
    // They were let in.
    expect((await at.overview()).blocked_connections).toBe(3);
    const { rows } = await sql`
      select sum(challenged) as challenged, sum(verified) as verified
      from telemetry_hourly where shield_id = ${at.shieldId}
    `.execute(at.testApp.platform.db);
    expect(rows).toEqual([{ challenged: "10", verified: "8" }]);
  });

  test("an edge speaks for shields of its own location only", async () => {
    const abroad = await enrolEdge(at.testApp, at.staff, {
      name: `abroad-${at.bootId.slice(0, 8)}`,
      location: "frankfurt",
    });
    const live = [
      { shield_id: at.shieldId, players: 5, connections_per_second: 1, bandwidth_bps: 1 },
      { shield_id: randomUUID(), players: 5, connections_per_second: 1, bandwidth_bps: 1 },
    ];
    expect(await at.send(at.report({ minutes: [at.counters()], live }), abroad)).toBe(true);
    expect(await at.overview()).toMatchObject({ traffic: 0, players_online: 0, history: [] });
  });

  test("minutes from the future or the distant past are dropped", async () => {
    await at.send(
      at.report({
        minutes: [
          at.counters({ minute: at.minute(-10) }),
          at.counters({ minute: at.minute(3_000) }),
        ],
      }),
    );
    expect((await at.overview()).history).toEqual([]);
  });

  test("times the database cannot read cost the report nothing else", async () => {
    const absurd = ["0000-01-01T00:00:00Z", `2026-01-01T00:00:00.${"1".repeat(500)}Z`];
    const backend_id = randomUUID();
    await at.send(
      at.report({
        minutes: [
          ...absurd.map((time) => at.counters({ minute: time })),
          at.counters({ joins: 5 }),
        ],
        logins: absurd.map((time) => loginEntry({ at: time, shield_id: at.shieldId })),
        backends: absurd.map((changed_at) => ({
          shield_id: at.shieldId,
          backend_id,
          state: "up",
          players: 0,
          latency_ms: null,
          last_error: null,
          expects_proxy: false,
          answered_at: null,
          changed_at,
        })),
      }),
    );
    expect((await at.overview()).history).toMatchObject([{ joins: 5 }]);
  });

  test("figures beyond reason do not break the sums", async () => {
    const absurd = { bytes_up: Number.MAX_SAFE_INTEGER, joins: Number.MAX_SAFE_INTEGER };
    for (let index = 0; index < 3; index += 1) {
      expect(
        await at.send(at.report({ minutes: [at.counters(absurd), at.counters(absurd)] })),
      ).toBe(true);
    }
    expect((await at.overview()).traffic).toBeGreaterThan(1_000_000_000_000);
  });

  test("gauges are those of the newest report; what it leaves out is over", async () => {
    const gauge = {
      shield_id: at.shieldId,
      players: 7,
      connections_per_second: 1.5,
      bandwidth_bps: 12_000_000,
    };
    const early = at.report({ live: [{ ...gauge, players: 99 }] });
    await at.send(at.report({ live: [gauge] }));
    await at.send(at.report({ live: [{ ...gauge, players: 1 }] }), at.other);
    expect(await at.overview()).toMatchObject({
      players_online: 8,
      connections_per_second: 3,
      bandwidth_bps: 24_000_000,
      formatted_bandwidth: "24 Mbit/s",
    });
    // Overtaken on the way: not newer, so not now.
    await at.send(early);
    expect((await at.overview()).players_online).toBe(8);
    await at.send(at.report());
    expect((await at.overview()).players_online).toBe(1);
    await sql`update live_gauges set at = at - interval '31 seconds'`.execute(
      at.testApp.platform.db,
    );
    expect((await at.overview()).players_online).toBe(0);
  });

  test("the list and the dashboard show players and refusals of the last day", async () => {
    const member = await createUser(at.testApp);
    await addMember(at.testApp, at.shieldId, member);
    const live = [
      { shield_id: at.shieldId, players: 2, connections_per_second: 0, bandwidth_bps: 0 },
    ];
    // A full hour of 6 players, three hours ago, so that its mean does not depend on the minute.
    await at.send(
      at.report({
        minutes: [at.counters({ minute: at.minute(180), player_seconds: 21_600 })],
        live,
      }),
    );
    const list = async (token: string) => {
      const answer = await call(at.testApp, routes.servers.listServers, { token });
      return routes.servers.listServers.response.parse(answer.json()).data[0];
    };
    const item = await list(at.owner.token);
    expect(item?.players_online).toBe(2);
    expect(item?.players_history.filter((players) => players > 0)).toEqual([6]);
    const dashboard = async (token: string) => {
      const answer = await call(at.testApp, routes.profile.getDashboard, { token });
      return routes.profile.getDashboard.response.parse(answer.json());
    };
    const own = await dashboard(at.owner.token);
    expect(own).toMatchObject({
      balance: "0.00",
      balance_cents: 0,
      game_shields: 1,
      active_game_shields: 1,
      blocked_packets: 3,
    });
    expect(own.players_history).toEqual(item?.players_history);
    expect(own.blocked_history.reduce((sum, count) => sum + count, 0)).toBe(3);
    // A member sees the players, but refusals count for the at.owner.
    expect(await dashboard(member.token)).toMatchObject({ game_shields: 1, blocked_packets: 0 });
    expect(await dashboard((await createUser(at.testApp)).token)).toMatchObject({
      game_shields: 0,
      average_online: 0,
      players_history: Array.from({ length: 24 }, () => 0),
    });
  });

  test("status answers from the cache are counted, and never more of them than pings", async () => {
    await at.send(at.report({ minutes: [at.counters({ pings: 10, status_hits: 8 })] }));
    await at.send(
      at.report({ minutes: [at.counters({ minute: at.minute(1), pings: 5, status_hits: 2 })] }),
    );
    const since = new Date(at.testApp.clock.nowMs() - 2 * minuteMs);
    const { db } = at.testApp.platform;
    expect(await statusCacheStats(db, at.shieldId, since)).toEqual({ pings: 15, hits: 10 });
    await at.send(at.report({ minutes: [at.counters({ pings: 0, status_hits: 1e12 })] }));
    expect(await statusCacheStats(db, at.shieldId, since)).toEqual({ pings: 15, hits: 15 });
    expect(await statusCacheStats(db, randomUUID(), since)).toEqual({ pings: 0, hits: 0 });
  });

  test("cleaning keeps reports whose minutes are not rolled up, and drops others after a week", async () => {
    const { db } = at.testApp.platform;
    await at.send(at.report({ minutes: [at.counters()] }));
    await sql`update telemetry_reports set received_at = received_at - interval '8 days'`.execute(
      db,
    );
    const reports = () =>
      db.selectFrom("telemetry_reports").select("seq").where("boot_id", "=", at.bootId).execute();
    await deleteOldReports(db);
    expect(await reports()).toHaveLength(1);
    await sql`update telemetry_reports set rolled = 3`.execute(db);
    await deleteOldReports(db);
    expect(await reports()).toHaveLength(0);
  });
});
