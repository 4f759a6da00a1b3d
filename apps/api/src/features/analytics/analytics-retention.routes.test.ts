import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { cleanTelemetry } from "#src/features/telemetry/telemetry.jobs.ts";
import { asOwner } from "#src/test-support/query-plan.ts";
import {
  type AnalyticsOfTest,
  dayMs,
  eachTestReports,
  hourMs,
} from "#src/test-support/test-analytics.ts";
import { insertHours } from "#src/test-support/test-telemetry.ts";

let at: AnalyticsOfTest;
eachTestReports((current) => (at = current));

describe("the time that analytics are kept", () => {
  test("the plan decides how far back it goes, and older hours are deleted", async () => {
    const start = (days: number) => new Date(Math.floor((at.now - days * dayMs) / hourMs) * hourMs);
    const { db } = at.testApp.platform;
    await insertHours(db, [
      { shield_id: at.shieldId, start: start(20), joins: "3" },
      { shield_id: at.shieldId, start: start(40), joins: "5" },
      { shield_id: at.shieldId, start: start(70), joins: "7" },
    ]);
    const keep = (days: number) =>
      sql`
      update pricing_plans set limits = limits || jsonb_build_object('analytics_days', ${days}::integer)
      where id = (select pricing_plan_id from shields where id = ${at.shieldId})
    `.execute(db);
    const hours = () =>
      db
        .selectFrom("telemetry_hours")
        .select("joins")
        .where("shield_id", "=", at.shieldId)
        .orderBy("start")
        .execute();
    const asked = at.since(60 * dayMs);
    await keep(50);
    expect((await at.analytics(asked)).totals.joins).toBe(8);
    await keep(30);
    const answer = await at.analytics(asked);
    expect(answer.totals.joins).toBe(3);
    expect(Date.parse(answer.from)).toBe(Date.parse(answer.kept_from));
    await cleanTelemetry(db, at.now);
    // The traffic of this month and the one before is billed from these.
    expect(await hours()).toEqual([{ joins: "5" }, { joins: "3" }]);
  });

  test("partitions are dropped when no plan keeps them, and never one that is not rolled up", async () => {
    const { db } = at.testApp.platform;
    const partitions = async () => {
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_class where relname like 'telemetry_minutes_2%' and relkind = 'r'
      `.execute(db);
      return rows.map(({ name }) => name);
    };
    const old = new Date(at.now - 9 * dayMs).toISOString().slice(0, 10);
    const name = `telemetry_minutes_${old.replaceAll("-", "")}`;
    await sql`select make_telemetry_partition('telemetry_minutes', ${old}::date, ${old}::date + 1)`.execute(
      db,
    );
    const waiting = sql`
      insert into telemetry_reports (edge_id, boot_id, seq, first_minute, last_minute, rolled)
      select id, gen_random_uuid(), 1, ${old}::date, ${old}::date, 0 from edges limit 1
    `;
    await waiting.execute(db);
    await cleanTelemetry(db, at.now);
    expect(await partitions()).toContain(name);
    await sql`update telemetry_reports set rolled = 3 where first_minute = ${old}::date`.execute(
      db,
    );
    await cleanTelemetry(db, at.now);
    expect(await partitions()).not.toContain(name);
  });

  test("cleaning goes on after a step that fails, and deletes what a rollup brought back of an erased shield", async () => {
    const { db } = at.testApp.platform;
    await at.send(at.report([at.counters(2_000, { joins: 1 })]));
    await at.roll();
    await sql`update shields set erased_at = now() where id = ${at.shieldId}`.execute(db);
    await sql`
      insert into telemetry_coverage (location, step, start)
      select 'de', 60, date_trunc('minute', now()) - n * interval '1 minute'
      from generate_series(6000, 16500) n on conflict do nothing
    `.execute(db);
    const query = async (text: string) =>
      asOwner(at.testApp, async (client) => (await client.query<{ count: string }>(text)).rows);
    await query("alter function drop_telemetry_partition rename to drop_no_partition");
    try {
      await expect(cleanTelemetry(db, at.now)).rejects.toThrow(
        "Some old counters were not deleted",
      );
    } finally {
      await query("alter function drop_no_partition rename to drop_telemetry_partition");
    }
    const tables = ["telemetry_minutes", "telemetry_tens", "telemetry_hours", "telemetry_days"];
    for (const table of tables) {
      const left = await query(`select count(*) from ${table} where shield_id = '${at.shieldId}'`);
      expect([table, ...left]).toEqual([table, { count: "0" }]);
    }
    expect(
      await query(
        "select count(*) from telemetry_coverage where step = 60 and start < now() - interval '4 days'",
      ),
    ).toEqual([{ count: "0" }]);
    await cleanTelemetry(db, at.now);
  });
});
