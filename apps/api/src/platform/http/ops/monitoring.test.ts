import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { metricsIn, monitoringExpressions, seriesOf } from "@palisade/testing/monitoring-files";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";

const folder = fileURLToPath(new URL("../../../../../../deploy/monitoring/", import.meta.url));

/** Metrics of other programs: Prometheus itself, the blackbox exporter and postgres_exporter. */
const foreign = new Set([
  "up",
  "probe_success",
  "probe_duration_seconds",
  "pg_up",
  "pg_stat_activity_count",
  "pg_stat_activity_max_tx_duration",
  "pg_settings_max_connections",
  "pg_database_size_bytes",
  "pg_stat_database_xact_commit",
  "pg_stat_database_deadlocks",
  "pg_replication_lag_seconds",
]);

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

test("dashboards and alerts use no metric that the api does not have", async () => {
  const known = seriesOf(testApp.platform.metrics.getMetricsAsArray().map(({ name }) => name));
  const used = (await monitoringExpressions()).flatMap(({ place, expr }) =>
    metricsIn(expr)
      // Those are compared in the tests of edge and zone DNS.
      .filter((name) => !/^palisade_(?:edge|dns)_/.test(name) && !foreign.has(name))
      .map((name) => ({ place, name })),
  );
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter(({ name }) => !known.has(name))).toEqual([]);
});

test("every alert names a chapter of the runbook", async () => {
  const rules = await readFile(`${folder}rules.yml`, "utf8");
  const runbook = await readFile(`${folder}../../docs/runbooks/alerts.md`, "utf8");
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].length;
  const chapters = [...rules.matchAll(/runbook: docs\/runbooks\/alerts\.md#([\w-]+)/g)];
  expect(chapters).toHaveLength(alerts);
  for (const [, chapter = ""] of chapters) expect(runbook).toContain(`\n## ${chapter}\n`);
});

test("Prometheus takes the rules, and they fire as meant", async ({ skip }) => {
  // `npm test` finds or fetches it.
  const promtool = process.env["PROMTOOL_PATH"] ?? "/usr/bin/promtool";
  skip(!existsSync(promtool), "needs promtool, which Debian's package prometheus has");
  const run = promisify(execFile);
  const checked = await run(promtool, ["check", "rules", "rules.yml"], { cwd: folder });
  expect(checked.stdout).toContain("SUCCESS");
  const tested = await run(promtool, ["test", "rules", "rules-test.yml"], { cwd: folder });
  expect(tested.stdout).toContain("SUCCESS");
});
