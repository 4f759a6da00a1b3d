import { randomUUID } from "node:crypto";
import type { MinuteDetails } from "@palisade/contract/edge/plain-values";
import { routes } from "@palisade/contract/http/routes";
import { seededRandom } from "@palisade/testing/seeded-random";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import {
  type AnalyticsOfTest,
  type AskedAnalytics,
  dayMs,
  eachTestReports,
  hourMs,
  minuteMs,
} from "#src/test-support/test-analytics.ts";
import { addMember } from "#src/test-support/test-shields.ts";
import { call, createUser } from "#src/test-support/test-users.ts";

let at: AnalyticsOfTest;
eachTestReports((current) => (at = current));

describe("analytics", () => {
  test("a time that no edge has reported is null, and one without anything is 0", async () => {
    await sql`delete from telemetry_coverage`.execute(at.testApp.platform.db);
    const from = (ago: number) => ({
      counted_from: new Date(at.now - ago * minuteMs).toISOString(),
    });
    await at.send(at.report([at.counters(7, { joins: 2 })], from(10)));
    const { series, times } = await at.analytics({ range: "1h" });
    expect(times).toHaveLength(60);
    expect(series.joins.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => null));
    expect(series.joins.slice(50)).toEqual([0, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
    expect(series.players.slice(49, 51)).toEqual([null, 0]);
    const time = (ago: number) => new Date(at.now - ago * minuteMs).toISOString();
    await at.send(at.report([], { counted_from: time(20), counted_to: time(18) }));
    await at.send(at.report([], { counted_from: time(30), counted_to: time(31) }));
    expect((await at.analytics({ range: "1h" })).series.joins.slice(28, 51)).toEqual(
      Array.from({ length: 23 }, (_, n) => ([12, 13, 14, 22].includes(n) ? 0 : null)),
    );
    // A shield was not there before it was created.
    await sql`update shields set created_at = now() - interval '4 minutes' where id = ${at.shieldId}`.execute(
      at.testApp.platform.db,
    );
    expect((await at.analytics({ range: "1h" })).series.joins.slice(50, 55)).toEqual([
      null,
      null,
      null,
      2,
      null,
    ]);
  });

  test("means are over time, latency over successful checks", async () => {
    const checks = { checks: 4, checks_up: 3, latency_ms: 60 };
    const busy = { player_seconds: 600, players_max: 11, joins: 3 };
    await at.send(
      at.report([at.counters(5, busy, checks)], {
        counted_from: new Date(at.now - hourMs).toISOString(),
      }),
    );
    const { series, totals } = await at.analytics({ range: "1h" });
    const point = series.joins.indexOf(3);
    expect(series.players[point]).toBe(10);
    expect(series.players_peak[point]).toBe(11);
    expect(series.backend_latency_ms[point]).toBe(20);
    expect(series.backend_health[point]).toBe(0.75);
    expect(series.backend_latency_ms[point - 1]).toBeNull();
    expect(totals).toMatchObject({ players: 0.167, backend_latency_ms: 20, backend_health: 0.75 });
  });

  test("players and joins of Bedrock are told apart, also in rollups", async () => {
    const of = { joins: 3, player_seconds: 240 };
    const minute = at.counters(90, { joins: 5, player_seconds: 600, bedrock: of });
    await at.send(at.report([minute]));
    await at.send(at.report([{ ...minute, bedrock: { joins: 1, player_seconds: 60 } }]), 1);
    for (const rolled of [false, true]) {
      if (rolled) await at.roll();
      const { series, totals } = await at.analytics({ range: "24h" });
      const point = series.joins.indexOf(10);
      expect([series.bedrock_joins[point], series.bedrock_players[point]]).toEqual([4, 0.5]);
      expect(totals).toMatchObject({ joins: 10, bedrock_joins: 4 });
    }
    const { series } = await at.analytics({ range: "1h" });
    expect(series.bedrock_joins.every((joins) => joins === null || joins === 0)).toBe(true);
  });

  test("the period before has as many points, each one period earlier", async () => {
    await at.send(at.report([at.counters(10, { joins: 1 }), at.counters(70, { joins: 5 })]));
    const { series, before, from } = await at.analytics({ range: "1h", compare: "true" });
    expect(before?.to).toBe(from);
    expect(before?.series.joins.indexOf(5)).toBe(series.joins.indexOf(1));
    expect(before?.totals.joins).toBe(5);
    expect((await at.analytics({ range: "1h" })).before).toBeNull();
  });

  test("versions and networks are the largest first; without a database there are no countries", async () => {
    const tops: MinuteDetails["tops"] = [
      ["p:767", 2],
      ["p:769", 5],
      ["p:-7", 1],
      ["p:", 1],
      ["c:DE", 6],
      ["c:", 3],
      ["n:64496 Example Telecom", 6],
    ];
    const minutes = [at.counters(3, { joins: 9 }, { tops })];
    await at.send(at.report(minutes, { has_countries: true }));
    const answer = await at.analytics();
    expect(answer.versions).toEqual([
      { version: "1.21.4", joins: 5 },
      { version: "1.21-1.21.1", joins: 2 },
      { version: null, joins: 2 },
    ]);
    expect(answer.protocols.at(-1)).toEqual({ protocol: null, joins: 1 });
    expect(answer.countries).toEqual([
      { country: "DE", joins: 6 },
      { country: null, joins: 3 },
    ]);
    expect(answer.networks).toBeNull();
    await at.send(at.report([], { has_networks: true }), 1);
    expect((await at.analytics()).networks).toEqual([
      { asn: 64_496, name: "Example Telecom", joins: 6 },
    ]);
    await Promise.all([at.send(at.report([])), at.send(at.report([]), 1)]);
    expect(await at.analytics()).toMatchObject({ countries: null, networks: null });
  });

  test("a player counts once however often and wherever they join, and is known the next day", async () => {
    const draw = seededRandom(11);
    const entries = (players: number) =>
      Array.from({ length: players }, (_, index) => index * 16 * 13 + 1 + (draw(2) % 1));
    const [all, some] = [entries(200), entries(80)];
    const yesterday = Math.ceil((at.now % dayMs) / minuteMs) + 60;
    await at.send(at.report([at.counters(yesterday, { joins: 200 }, { sketch: all })]));
    await at.send(at.report([at.counters(yesterday + 1, { joins: 200 }, { sketch: all })]), 1);
    await at.send(at.report([at.counters(0, { joins: 80 }, { sketch: some })]));
    for (const rolled of [false, true]) {
      if (rolled) await at.roll();
      const { totals, retention } = await at.analytics({ range: "7d" });
      expect(totals.unique_players).toBeGreaterThan(195);
      expect(totals.unique_players).toBeLessThan(210);
      const day = retention.at(-1);
      expect(day?.unique_players).toBe(totals.unique_players);
      expect(day?.returned).toBeGreaterThan(75);
      expect(day?.returned).toBeLessThan(86);
    }
  });

  test("hours of the week are means of the hours that were reported", async () => {
    const hour = Math.floor(at.now / hourMs) * hourMs - 2 * hourMs;
    const ago = (at.now - hour) / minuteMs;
    await at.send(
      at.report([at.counters(ago, { joins: 6, player_seconds: 7_200 })], {
        counted_from: new Date(hour).toISOString(),
      }),
    );
    const { hours_of_week } = await at.analytics({ range: "7d" });
    const begin = new Date(hour);
    const slot = ((begin.getUTCDay() + 6) % 7) * 24 + begin.getUTCHours();
    expect(hours_of_week?.joins[slot]).toBe(6);
    expect(hours_of_week?.players[slot]).toBe(2);
    expect(hours_of_week?.players[(slot + 1) % 168]).toBe(0);
    expect((await at.analytics()).hours_of_week).toBeNull();
  });

  test("attacks and changes are marked; members without a right to the history see no changes", async () => {
    const id = randomUUID();
    const started_at = new Date(at.now - hourMs);
    await sql`
      insert into attacks (id, shield_id, started_at, peak_per_second)
      values (${id}, ${at.shieldId}, ${started_at}, 70)
    `.execute(at.testApp.platform.db);
    await call(at.testApp, routes.mitigation.updateMitigation, {
      token: at.owner.token,
      params: { id: at.shieldId },
      body: { anti_forge: true },
    });
    const attack = { kind: "attack", id, at: started_at.toISOString(), ended_at: null };
    const { marks } = await at.analytics();
    expect(marks[0]).toMatchObject({
      kind: "change",
      area: "mitigation",
      fields: ["anti_forge"],
    });
    expect(marks.at(-1)).toMatchObject({ ...attack, peak_per_second: 70 });
    const member = await createUser(at.testApp);
    await addMember(at.testApp, at.shieldId, member);
    await sql`update shield_members set member_role = 'viewer' where user_id = ${member.id}`.execute(
      at.testApp.platform.db,
    );
    expect((await at.analytics({}, member)).marks).toMatchObject([attack]);
  });

  test("the CSV has the same times and values as the answer", async () => {
    const draw = seededRandom(3);
    await at.send(at.report([1, 2, 40, 700, 1_500].map((ago) => at.drawn(ago, draw))));
    await at.roll();
    for (const query of [{ range: "1h" }, { range: "24h" }, { range: "7d" }]) {
      const { times, series } = await at.analytics(query);
      const answer = await call(at.testApp, routes.analytics.exportAnalytics, {
        token: at.owner.token,
        params: { id: at.shieldId },
        query,
      });
      const [head = "", ...lines] = answer.body.trimEnd().split("\r\n");
      const names = head.split(",");
      const { refused, ...plain } = series;
      const columns = new Map<string, readonly (number | string | null)[]>([
        ["time", times],
        ...Object.entries(plain),
        ...Object.entries(refused).map(
          ([reason, counts]) => [`refused_${reason}`, counts] as const,
        ),
      ]);
      expect(new Set(names)).toEqual(new Set(columns.keys()));
      expect(lines).toEqual(
        times.map((_, index) =>
          names.map((name) => String(columns.get(name)?.[index] ?? "")).join(","),
        ),
      );
    }
  });

  test("a period has an order, two ends, and at most the present", async () => {
    const refused = async (query: AskedAnalytics) => {
      const answer = await at.ask(query);
      expect(answer.statusCode).toBe(422);
      return answer.json().issues[0].code;
    };
    expect(await refused({ range: "2h" })).toBe("range.invalid");
    expect(await refused({ range: "custom" })).toBe("required");
    const [from, to] = [new Date(at.now).toISOString(), new Date(at.now - hourMs).toISOString()];
    expect(await refused({ range: "custom", from, to })).toBe("to.after_from");
    expect(await refused({ range: "custom", from: "yesterday", to })).toBe("time.invalid");
    const future = await at.analytics({ range: "custom", from: to, to: "9999-12-31T23:59:59Z" });
    expect(Date.parse(future.to)).toBeLessThanOrEqual(at.testApp.clock.nowMs() + minuteMs);
    const past = await at.analytics({
      range: "custom",
      from: "0001-01-01T00:00:00Z",
      to: "0001-01-02T00:00:00Z",
    });
    expect(past).toMatchObject({ times: [], totals: { joins: 0 }, retention: [] });
  });
});
