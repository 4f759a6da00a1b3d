import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import type { TelemetryReport } from "@palisade/contract/edge/telemetry";
import { earlierReport } from "@palisade/testing/recorded-telemetry";
import { seededRandom } from "@palisade/testing/seeded-random";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import {
  type AnalyticsOfTest,
  dayMs,
  eachTestReports,
  hourMs,
  minuteMs,
} from "#src/test-support/test-analytics.ts";

let at: AnalyticsOfTest;
eachTestReports((current) => (at = current));

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
  const within = (ms: number) => minutes.filter(({ minute }) => Date.parse(minute) >= at.now - ms);
  const [hour, day, week, month] = [
    await at.analytics({ range: "1h" }),
    await at.analytics(at.since(36 * hourMs)),
    await at.analytics({ range: "7d" }),
    await at.analytics(at.since(200 * dayMs)),
  ];
  expect(hour.totals).toMatchObject(
    totalsOf(within(hourMs).filter(({ minute }) => Date.parse(minute) < at.now)),
  );
  expect([hour, day, week, month].map(({ step_seconds }) => step_seconds)).toEqual([
    60, 600, 3_600, 86_400,
  ]);
  for (const answer of [day, week, month]) expect(answer.totals).toMatchObject(totalsOf(minutes));
  const uniques = [day, week, month].map(({ totals }) => totals.unique_players);
  expect(new Set(uniques).size).toBe(1);
}

describe("sums of analytics", () => {
  test("every range has the exact sums: before and after rollups, with late and repeated reports and a restart", async () => {
    const draw = seededRandom(7);
    const sent: MinuteCounters[] = [];
    const deliver = async (ago: readonly number[], edge: number): Promise<void> => {
      const minutes = ago.map((each) => at.drawn(each, draw));
      sent.push(...minutes);
      const body = at.report(minutes);
      await Promise.all([at.send(body, edge), at.send(body, edge)]);
      await at.send(body, edge);
    };
    await deliver([0, 1, 2, 59, 61], 0);
    await deliver([118, 119, 700], 0);
    await deliver([0, 1, 30, 119, 700], 1);
    await deliver([1_500, 2_100], 1);
    await expectTotals(sent);
    expect(await at.roll()).toBe(true);
    await expectTotals(sent);
    // Late, for times that are rolled up already, and from the next start of an edge.
    at.restartEdges();
    await deliver([3, 118], 0);
    await deliver([700, 2_000], 0);
    await expectTotals(sent);
    await at.roll();
    await at.roll();
    await expectTotals(sent);
    const { rows } = await sql<{ table: string }>`
      select 'tens' as table from telemetry_tens where shield_id = ${at.shieldId}
      union select 'hours' from telemetry_hours where shield_id = ${at.shieldId}
      union select 'days' from telemetry_days where shield_id = ${at.shieldId} order by 1
    `.execute(at.testApp.platform.db);
    expect(rows.map(({ table }) => table)).toEqual(["days", "hours", "tens"]);
  });

  test("a report of an edge of the release before is counted, with its logins and attacks", async () => {
    const minute = new Date(at.now - 2 * minuteMs).toISOString();
    const body = await earlierReport({ shieldId: at.shieldId, minute });
    const recorded = body as unknown as TelemetryReport;
    await at.send(recorded);
    await at.send(recorded);
    const { totals, series, times } = await at.analytics({ range: "1h" });
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
      (select count(*) from login_entries where shield_id = ${at.shieldId}) as logins,
      (select count(*) from attacks where shield_id = ${at.shieldId}) as attacks`;
    expect((await counts.execute(at.testApp.platform.db)).rows).toEqual([
      { logins: "1", attacks: "1" },
    ]);
  });

  test("an hour without the api is counted minute by minute when the edge tells of it", async () => {
    // The report before the outage, and those after it: of every minute in between.
    const draw = seededRandom(11);
    const minutes = Array.from({ length: 62 }, (_, ago) => at.drawn(ago, draw)).toReversed();
    await at.send(at.report(minutes.slice(0, 1)));
    await at.roll();
    for (let from = 1; from < minutes.length; from += 20) {
      const body = at.report(minutes.slice(from, from + 20));
      await at.send(body);
      await at.send(body);
    }
    await expectTotals(minutes);
    await at.roll();
    await at.roll();
    await expectTotals(minutes);
    const { times, series } = await at.analytics({ range: "1h" });
    const joins = new Map(minutes.map((each) => [each.minute, each.joins]));
    expect(times).toHaveLength(60);
    expect(series.joins).toEqual(times.map((time) => joins.get(time)));
  });

  test("numbers that no edge can have do not stop the rollups", async () => {
    const start = new Date(at.now - 2_000 * minuteMs);
    // As many reports would take hours.
    await sql`
      insert into telemetry_minutes (shield_id, start, edge_id, joins, players_max, reasons, tops)
      select ${at.shieldId}, ${start}, ${at.edges[0]?.id}, 9e18, 9e18, '{"r:firewall": 9000000000000000000}',
        '{"p:1": 9000000000000000000}'
      from generate_series(1, 3)
    `.execute(at.testApp.platform.db);
    await at.send(at.report([at.counters(2_000, { joins: 1 })]));
    expect(await at.roll()).toBe(true);
    const { rows } = await sql`
      select joins, tops ->> 'p:1' as version from telemetry_tens where shield_id = ${at.shieldId}
      union all select joins, tops ->> 'p:1' from telemetry_days where shield_id = ${at.shieldId}
    `.execute(at.testApp.platform.db);
    const most = "9000000000000000";
    expect(rows).toEqual([
      { joins: most, version: most },
      { joins: most, version: most },
    ]);
  });

  test("the peak is the highest minute of all edges together, in every resolution", async () => {
    const of = (ago: number, players_max: number, connections_max: number) =>
      at.counters(ago, { players_max }, { connections_max });
    // Two parts of one minute, as after a report of an open minute.
    await at.send(at.report([of(2_000, 5, 2)]));
    await at.send(at.report([of(2_000, 8, 1), of(2_001, 10, 0)]));
    await at.send(at.report([of(2_000, 4, 9), of(2_001, 1, 0)]), 1);
    for (const rolled of [false, true]) {
      if (rolled) await at.roll();
      for (const asked of [at.since(36 * hourMs), { range: "7d" }, at.since(100 * dayMs)]) {
        const { totals } = await at.analytics(asked);
        expect(totals).toMatchObject({ players_peak: 12, connections_peak: 11 });
      }
    }
  });
});
