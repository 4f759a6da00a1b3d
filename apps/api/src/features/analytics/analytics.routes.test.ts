import { randomUUID } from "node:crypto";
import type { MinuteCounters, MinuteDetails } from "@palisade/contract/edge/plain-values";
import type { TelemetryReport } from "@palisade/contract/edge/telemetry";
import type { Analytics } from "@palisade/contract/http/analytics";
import { routes } from "@palisade/contract/http/routes";
import { earlierReport } from "@palisade/testing/recorded-telemetry";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rollUp } from "#src/features/telemetry/rollups.repository.ts";
import { cleanTelemetry } from "#src/features/telemetry/telemetry.jobs.ts";
import { asOwner } from "#src/test-support/query-plan.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { insertHours } from "#src/test-support/test-telemetry.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  type TestEdge,
} from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

let testApp: TestApp;
let edges: TestEdge[];
let owner: TestUser;
let shieldId: string;
let boots: string[];
let seq: number;
/** The whole minute that the test began in; the product's clock stands there. */
let now: number;

beforeAll(async () => {
  testApp = await createTestApp();
  const staff = await createStaff(testApp);
  await sql`update pricing_plans set limits = limits - 'analytics_days'`.execute(
    testApp.platform.db,
  );
  edges = [
    await enrolEdge(testApp, staff, { name: "one" }),
    await enrolEdge(testApp, staff, { name: "two" }),
  ];
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  const at = new Date();
  testApp.clock.set(at);
  now = Math.floor(at.getTime() / minuteMs) * minuteMs;
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
  await sql`update shields set created_at = created_at - interval '2 years' where id = ${shieldId}`.execute(
    testApp.platform.db,
  );
  boots = edges.map(() => randomUUID());
  seq = 0;
});

const noDetails: MinuteDetails = {
  attack_bytes: 0,
  connections_max: 0,
  checks: 0,
  checks_up: 0,
  latency_ms: 0,
  tops: [],
  sketch: [],
};

function counters(
  agoMinutes: number,
  changes: Partial<MinuteCounters> = {},
  details: Partial<MinuteDetails> = {},
): MinuteCounters {
  return {
    shield_id: shieldId,
    minute: new Date(now - agoMinutes * minuteMs).toISOString(),
    joins: 0,
    pings: 0,
    refused: {},
    shadowed: {},
    bytes_up: 0,
    bytes_down: 0,
    player_seconds: 0,
    players_max: 0,
    status_hits: 0,
    challenged: 0,
    verified: 0,
    details: { ...noDetails, ...details },
    ...changes,
  };
}

function report(
  minutes: MinuteCounters[],
  changes: Partial<TelemetryReport> = {},
): TelemetryReport {
  seq += 1;
  return {
    boot_id: boots[0] ?? "",
    seq,
    minutes,
    live: [],
    backends: [],
    favicons: [],
    attacks: [],
    logins: [],
    ...changes,
  };
}

async function send(body: TelemetryReport, edge = 0): Promise<void> {
  const answer = await call(testApp, routes.edge.telemetry, {
    token: edges[edge]?.credential ?? "",
    body: { ...body, boot_id: boots[edge] ?? "" },
  });
  expect(answer.statusCode).toBe(200);
}

interface Asked {
  readonly range?: string;
  readonly from?: string;
  readonly to?: string;
  readonly compare?: string;
}

async function analytics(query: Asked = {}, user = owner): Promise<Analytics> {
  const answer = await call(testApp, routes.analytics.getAnalytics, {
    token: user.token,
    params: { id: shieldId },
    query: { ...query },
  });
  expect(answer.statusCode).toBe(200);
  return routes.analytics.getAnalytics.response.parse(answer.json());
}

/** Until the minute that runs, which is cut to the present. */
function since(ms: number): Asked {
  const [from, to] = [new Date(now - ms), new Date(now + minuteMs)];
  return { range: "custom", from: from.toISOString(), to: to.toISOString() };
}

const roll = () => rollUp(testApp.platform.db);

/** Numbers that repeat with the seed. */
function random(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state % max;
  };
}

function drawn(agoMinutes: number, draw: (max: number) => number): MinuteCounters {
  const counts = {
    joins: draw(9),
    pings: draw(50),
    refused: { rate: draw(5), bot_check: draw(3) },
    bytes_up: draw(1_000_000),
    bytes_down: draw(9_000_000),
    player_seconds: draw(600),
    players_max: draw(20),
    challenged: draw(4),
    verified: draw(3),
  };
  const checks_up = draw(7);
  const tops: MinuteDetails["tops"] = [[`p:${765 + draw(5)}`, counts.joins]];
  const sketch = Array.from({ length: counts.joins }, () => draw(65_536));
  const details = {
    attack_bytes: draw(9_000),
    checks: 7,
    checks_up,
    latency_ms: draw(99),
    tops,
    sketch,
  };
  return counters(agoMinutes, counts, details);
}

/** The totals of minutes that are plain sums. */
function totalsOf(minutes: readonly MinuteCounters[]) {
  const sum = (value: (each: MinuteCounters) => number) =>
    minutes.reduce((total, each) => total + value(each), 0);
  return {
    joins: sum(({ joins }) => joins),
    pings: sum(({ pings }) => pings),
    refused: {
      rate: sum(({ refused }) => refused.rate ?? 0),
      bot_check: sum(({ refused }) => refused.bot_check ?? 0),
    },
    challenged: sum(({ challenged }) => challenged),
    verified: sum(({ verified }) => verified),
    challenges_failed: sum(({ refused }) => refused.bot_check ?? 0),
    bytes_up: sum(({ bytes_up }) => bytes_up),
    bytes_down: sum(({ bytes_down }) => bytes_down),
    attack_bytes: sum(({ details }) => details?.attack_bytes ?? 0),
  };
}

async function expectTotals(minutes: readonly MinuteCounters[]): Promise<void> {
  const within = (ms: number) => minutes.filter(({ minute }) => Date.parse(minute) >= now - ms);
  const [hour, day, week, month] = [
    await analytics({ range: "1h" }),
    await analytics(since(36 * hourMs)),
    await analytics({ range: "7d" }),
    await analytics(since(200 * dayMs)),
  ];
  expect(hour.totals).toMatchObject(
    totalsOf(within(hourMs).filter(({ minute }) => Date.parse(minute) < now)),
  );
  expect([hour, day, week, month].map(({ step_seconds }) => step_seconds)).toEqual([
    60, 600, 3_600, 86_400,
  ]);
  for (const answer of [day, week, month]) expect(answer.totals).toMatchObject(totalsOf(minutes));
  const uniques = [day, week, month].map(({ totals }) => totals.unique_players);
  expect(new Set(uniques).size).toBe(1);
}

describe("analytics", () => {
  test("every range has the exact sums: before and after rollups, with late and repeated reports and a restart", async () => {
    const draw = random(7);
    const sent: MinuteCounters[] = [];
    const deliver = async (ago: readonly number[], edge: number): Promise<void> => {
      const minutes = ago.map((each) => drawn(each, draw));
      sent.push(...minutes);
      const body = report(minutes);
      await Promise.all([send(body, edge), send(body, edge)]);
      await send(body, edge);
    };
    await deliver([0, 1, 2, 59, 61], 0);
    await deliver([118, 119, 700], 0);
    await deliver([0, 1, 30, 119, 700], 1);
    await deliver([1_500, 2_100], 1);
    await expectTotals(sent);
    expect(await roll()).toBe(true);
    await expectTotals(sent);
    // Late, for times that are rolled up already, and from the next start of an edge.
    boots = edges.map(() => randomUUID());
    await deliver([3, 118], 0);
    await deliver([700, 2_000], 0);
    await expectTotals(sent);
    await roll();
    await roll();
    await expectTotals(sent);
    const { rows } = await sql<{ table: string }>`
      select 'tens' as table from telemetry_tens where shield_id = ${shieldId}
      union select 'hours' from telemetry_hours where shield_id = ${shieldId}
      union select 'days' from telemetry_days where shield_id = ${shieldId} order by 1
    `.execute(testApp.platform.db);
    expect(rows.map(({ table }) => table)).toEqual(["days", "hours", "tens"]);
  });

  test("a report of an edge of the release before is counted, with its logins and attacks", async () => {
    const minute = new Date(now - 2 * minuteMs).toISOString();
    const body = await earlierReport({ shieldId, minute });
    const recorded = body as unknown as TelemetryReport;
    await send(recorded);
    await send(recorded);
    const { totals, series, times } = await analytics({ range: "1h" });
    expect(totals).toMatchObject({
      joins: 3,
      pings: 5,
      refused: { blacklist: 2, vpn: 1, rate: 4 },
      bytes_up: 1_200,
      bytes_down: 34_000,
      challenged: 2,
      verified: 1,
      attack_bytes: 0,
      players_peak: 3,
    });
    expect(series.joins[times.indexOf(minute)]).toBe(3);
    const counts = sql<{ logins: string; attacks: string }>`select
      (select count(*) from login_entries where shield_id = ${shieldId}) as logins,
      (select count(*) from attacks where shield_id = ${shieldId}) as attacks`;
    expect((await counts.execute(testApp.platform.db)).rows).toEqual([
      { logins: "1", attacks: "1" },
    ]);
  });

  test("an hour without the api is counted minute by minute when the edge tells of it", async () => {
    // The report before the outage, and those after it: of every minute in between.
    const draw = random(11);
    const minutes = Array.from({ length: 62 }, (_, ago) => drawn(ago, draw)).toReversed();
    await send(report(minutes.slice(0, 1)));
    await roll();
    for (let from = 1; from < minutes.length; from += 20) {
      const body = report(minutes.slice(from, from + 20));
      await send(body);
      await send(body);
    }
    await expectTotals(minutes);
    await roll();
    await roll();
    await expectTotals(minutes);
    const { times, series } = await analytics({ range: "1h" });
    const joins = new Map(minutes.map((each) => [each.minute, each.joins]));
    expect(times).toHaveLength(60);
    expect(series.joins).toEqual(times.map((time) => joins.get(time)));
  });

  test("numbers that no edge can have do not stop the rollups", async () => {
    const start = new Date(now - 2_000 * minuteMs);
    // As many reports would take hours.
    await sql`
      insert into telemetry_minutes (shield_id, start, edge_id, joins, players_max, reasons, tops)
      select ${shieldId}, ${start}, ${edges[0]?.id}, 9e18, 9e18, '{"r:firewall": 9000000000000000000}',
        '{"p:1": 9000000000000000000}'
      from generate_series(1, 3)
    `.execute(testApp.platform.db);
    await send(report([counters(2_000, { joins: 1 })]));
    expect(await roll()).toBe(true);
    const { rows } = await sql`
      select joins, tops ->> 'p:1' as version from telemetry_tens where shield_id = ${shieldId}
      union all select joins, tops ->> 'p:1' from telemetry_days where shield_id = ${shieldId}
    `.execute(testApp.platform.db);
    const most = "9000000000000000";
    expect(rows).toEqual([
      { joins: most, version: most },
      { joins: most, version: most },
    ]);
  });

  test("the peak is the highest minute of all edges together, in every resolution", async () => {
    const of = (ago: number, players_max: number, connections_max: number) =>
      counters(ago, { players_max }, { connections_max });
    // Two parts of one minute, as after a report of an open minute.
    await send(report([of(2_000, 5, 2)]));
    await send(report([of(2_000, 8, 1), of(2_001, 10, 0)]));
    await send(report([of(2_000, 4, 9), of(2_001, 1, 0)]), 1);
    for (const rolled of [false, true]) {
      if (rolled) await roll();
      for (const asked of [since(36 * hourMs), { range: "7d" }, since(100 * dayMs)]) {
        const { totals } = await analytics(asked);
        expect(totals).toMatchObject({ players_peak: 12, connections_peak: 11 });
      }
    }
  });

  test("a time that no edge has reported is null, and one without anything is 0", async () => {
    await sql`delete from telemetry_coverage`.execute(testApp.platform.db);
    const from = (ago: number) => ({ counted_from: new Date(now - ago * minuteMs).toISOString() });
    await send(report([counters(7, { joins: 2 })], from(10)));
    const { series, times } = await analytics({ range: "1h" });
    expect(times).toHaveLength(60);
    expect(series.joins.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => null));
    expect(series.joins.slice(50)).toEqual([0, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
    expect(series.players.slice(49, 51)).toEqual([null, 0]);
    const time = (ago: number) => new Date(now - ago * minuteMs).toISOString();
    await send(report([], { counted_from: time(20), counted_to: time(18) }));
    await send(report([], { counted_from: time(30), counted_to: time(31) }));
    expect((await analytics({ range: "1h" })).series.joins.slice(28, 51)).toEqual(
      Array.from({ length: 23 }, (_, n) => ([12, 13, 14, 22].includes(n) ? 0 : null)),
    );
    // A shield was not there before it was created.
    await sql`update shields set created_at = now() - interval '4 minutes' where id = ${shieldId}`.execute(
      testApp.platform.db,
    );
    expect((await analytics({ range: "1h" })).series.joins.slice(50, 55)).toEqual([
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
    await send(
      report([counters(5, busy, checks)], { counted_from: new Date(now - hourMs).toISOString() }),
    );
    const { series, totals } = await analytics({ range: "1h" });
    const point = series.joins.indexOf(3);
    expect(series.players[point]).toBe(10);
    expect(series.players_peak[point]).toBe(11);
    expect(series.backend_latency_ms[point]).toBe(20);
    expect(series.backend_health[point]).toBe(0.75);
    expect(series.backend_latency_ms[point - 1]).toBeNull();
    expect(totals).toMatchObject({ players: 0.167, backend_latency_ms: 20, backend_health: 0.75 });
  });

  test("the period before has as many points, each one period earlier", async () => {
    await send(report([counters(10, { joins: 1 }), counters(70, { joins: 5 })]));
    const { series, before, from } = await analytics({ range: "1h", compare: "true" });
    expect(before?.to).toBe(from);
    expect(before?.series.joins.indexOf(5)).toBe(series.joins.indexOf(1));
    expect(before?.totals.joins).toBe(5);
    expect((await analytics({ range: "1h" })).before).toBeNull();
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
    const minutes = [counters(3, { joins: 9 }, { tops })];
    await send(report(minutes, { has_countries: true }));
    const answer = await analytics();
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
    await send(report([], { has_networks: true }), 1);
    expect((await analytics()).networks).toEqual([
      { asn: 64_496, name: "Example Telecom", joins: 6 },
    ]);
    await Promise.all([send(report([])), send(report([]), 1)]);
    expect(await analytics()).toMatchObject({ countries: null, networks: null });
  });

  test("a player counts once however often and wherever they join, and is known the next day", async () => {
    const draw = random(11);
    const entries = (players: number) =>
      Array.from({ length: players }, (_, index) => index * 16 * 13 + 1 + (draw(2) % 1));
    const [all, some] = [entries(200), entries(80)];
    const yesterday = Math.ceil((now % dayMs) / minuteMs) + 60;
    await send(report([counters(yesterday, { joins: 200 }, { sketch: all })]));
    await send(report([counters(yesterday + 1, { joins: 200 }, { sketch: all })]), 1);
    await send(report([counters(0, { joins: 80 }, { sketch: some })]));
    for (const rolled of [false, true]) {
      if (rolled) await roll();
      const { totals, retention } = await analytics({ range: "7d" });
      expect(totals.unique_players).toBeGreaterThan(195);
      expect(totals.unique_players).toBeLessThan(210);
      const day = retention.at(-1);
      expect(day?.unique_players).toBe(totals.unique_players);
      expect(day?.returned).toBeGreaterThan(75);
      expect(day?.returned).toBeLessThan(86);
    }
  });

  test("hours of the week are means of the hours that were reported", async () => {
    const hour = Math.floor(now / hourMs) * hourMs - 2 * hourMs;
    const ago = (now - hour) / minuteMs;
    await send(
      report([counters(ago, { joins: 6, player_seconds: 7_200 })], {
        counted_from: new Date(hour).toISOString(),
      }),
    );
    const { hours_of_week } = await analytics({ range: "7d" });
    const at = new Date(hour);
    const slot = ((at.getUTCDay() + 6) % 7) * 24 + at.getUTCHours();
    expect(hours_of_week?.joins[slot]).toBe(6);
    expect(hours_of_week?.players[slot]).toBe(2);
    expect(hours_of_week?.players[(slot + 1) % 168]).toBe(0);
    expect((await analytics()).hours_of_week).toBeNull();
  });

  test("attacks and changes are marked; members without a right to the history see no changes", async () => {
    const id = randomUUID();
    const started_at = new Date(now - hourMs);
    await sql`
      insert into attacks (id, shield_id, started_at, peak_per_second)
      values (${id}, ${shieldId}, ${started_at}, 70)
    `.execute(testApp.platform.db);
    await call(testApp, routes.mitigation.updateMitigation, {
      token: owner.token,
      params: { id: shieldId },
      body: { anti_forge: true },
    });
    const attack = { kind: "attack", id, at: started_at.toISOString(), ended_at: null };
    const { marks } = await analytics();
    expect(marks[0]).toMatchObject({
      kind: "change",
      area: "mitigation",
      fields: ["anti_forge"],
    });
    expect(marks.at(-1)).toMatchObject({ ...attack, peak_per_second: 70 });
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    await sql`update shield_members set member_role = 'viewer' where user_id = ${member.id}`.execute(
      testApp.platform.db,
    );
    expect((await analytics({}, member)).marks).toMatchObject([attack]);
  });

  test("the CSV has the same times and values as the answer", async () => {
    const draw = random(3);
    await send(report([1, 2, 40, 700, 1_500].map((ago) => drawn(ago, draw))));
    await roll();
    for (const query of [{ range: "1h" }, { range: "24h" }, { range: "7d" }]) {
      const { times, series } = await analytics(query);
      const answer = await call(testApp, routes.analytics.exportAnalytics, {
        token: owner.token,
        params: { id: shieldId },
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
    const refused = async (query: Asked) => {
      const answer = await call(testApp, routes.analytics.getAnalytics, {
        token: owner.token,
        params: { id: shieldId },
        query: { ...query },
      });
      expect(answer.statusCode).toBe(422);
      return answer.json().issues[0].code;
    };
    expect(await refused({ range: "2h" })).toBe("range.invalid");
    expect(await refused({ range: "custom" })).toBe("required");
    const [from, to] = [new Date(now).toISOString(), new Date(now - hourMs).toISOString()];
    expect(await refused({ range: "custom", from, to })).toBe("to.after_from");
    expect(await refused({ range: "custom", from: "yesterday", to })).toBe("time.invalid");
    const future = await analytics({ range: "custom", from: to, to: "9999-12-31T23:59:59Z" });
    expect(Date.parse(future.to)).toBeLessThanOrEqual(testApp.clock.nowMs() + minuteMs);
    const past = await analytics({
      range: "custom",
      from: "0001-01-01T00:00:00Z",
      to: "0001-01-02T00:00:00Z",
    });
    expect(past).toMatchObject({ times: [], totals: { joins: 0 }, retention: [] });
  });

  test("the plan decides how far back it goes, and older hours are deleted", async () => {
    const start = (days: number) => new Date(Math.floor((now - days * dayMs) / hourMs) * hourMs);
    const { db } = testApp.platform;
    await insertHours(db, [
      { shield_id: shieldId, start: start(20), joins: "3" },
      { shield_id: shieldId, start: start(40), joins: "5" },
      { shield_id: shieldId, start: start(70), joins: "7" },
    ]);
    const keep = (days: number) =>
      sql`
      update pricing_plans set limits = limits || jsonb_build_object('analytics_days', ${days}::integer)
      where id = (select pricing_plan_id from shields where id = ${shieldId})
    `.execute(db);
    const hours = () =>
      db
        .selectFrom("telemetry_hours")
        .select("joins")
        .where("shield_id", "=", shieldId)
        .orderBy("start")
        .execute();
    const asked = since(60 * dayMs);
    await keep(50);
    expect((await analytics(asked)).totals.joins).toBe(8);
    await keep(30);
    const answer = await analytics(asked);
    expect(answer.totals.joins).toBe(3);
    expect(Date.parse(answer.from)).toBe(Date.parse(answer.kept_from));
    await cleanTelemetry(db, now);
    // The traffic of this month and the one before is billed from these.
    expect(await hours()).toEqual([{ joins: "5" }, { joins: "3" }]);
  });

  test("partitions are dropped when no plan keeps them, and never one that is not rolled up", async () => {
    const { db } = testApp.platform;
    const partitions = async () => {
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_class where relname like 'telemetry_minutes_2%' and relkind = 'r'
      `.execute(db);
      return rows.map(({ name }) => name);
    };
    const old = new Date(now - 9 * dayMs).toISOString().slice(0, 10);
    const name = `telemetry_minutes_${old.replaceAll("-", "")}`;
    await sql`select make_telemetry_partition('telemetry_minutes', ${old}::date, ${old}::date + 1)`.execute(
      db,
    );
    const waiting = sql`
      insert into telemetry_reports (edge_id, boot_id, seq, first_minute, last_minute, rolled)
      select id, gen_random_uuid(), 1, ${old}::date, ${old}::date, 0 from edges limit 1
    `;
    await waiting.execute(db);
    await cleanTelemetry(db, now);
    expect(await partitions()).toContain(name);
    await sql`update telemetry_reports set rolled = 3 where first_minute = ${old}::date`.execute(
      db,
    );
    await cleanTelemetry(db, now);
    expect(await partitions()).not.toContain(name);
  });

  test("cleaning goes on after a step that fails, and deletes what a rollup brought back of an erased shield", async () => {
    const { db } = testApp.platform;
    await send(report([counters(2_000, { joins: 1 })]));
    await roll();
    await sql`update shields set erased_at = now() where id = ${shieldId}`.execute(db);
    await sql`
      insert into telemetry_coverage (location, step, start)
      select 'de', 60, date_trunc('minute', now()) - n * interval '1 minute'
      from generate_series(6000, 16500) n on conflict do nothing
    `.execute(db);
    const query = async (text: string) =>
      asOwner(testApp, async (client) => (await client.query<{ count: string }>(text)).rows);
    await query("alter function drop_telemetry_partition rename to drop_no_partition");
    try {
      await expect(cleanTelemetry(db, now)).rejects.toThrow("Some old counters were not deleted");
    } finally {
      await query("alter function drop_no_partition rename to drop_telemetry_partition");
    }
    const tables = ["telemetry_minutes", "telemetry_tens", "telemetry_hours", "telemetry_days"];
    for (const table of tables) {
      const left = await query(`select count(*) from ${table} where shield_id = '${shieldId}'`);
      expect([table, ...left]).toEqual([table, { count: "0" }]);
    }
    expect(
      await query(
        "select count(*) from telemetry_coverage where step = 60 and start < now() - interval '4 days'",
      ),
    ).toEqual([{ count: "0" }]);
    await cleanTelemetry(db, now);
  });
});
