import { createShield, logInAs, signUp } from "@palisade/system-tests/product/account";
import {
  createHome,
  databaseOf,
  removeHome,
  startPalisade,
} from "@palisade/system-tests/product/palisade";
import { launchBrowser } from "@palisade/system-tests/console/browser";
import { createConsolePages } from "@palisade/system-tests/console/pages";
import { until } from "@palisade/testing/until";
import { Client } from "pg";
import { fillTelemetry, minutesAlone } from "#src/api/bulk-telemetry.ts";
import { insertShields } from "#src/api/bulk-shields.ts";
import { timedGet, timesOf } from "#src/api/timed-get.ts";
import { median, percentile } from "#src/statistics/statistics.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";

const shields = Number(process.env["PALISADE_BENCH_SHIELDS"] ?? 1_000);
const email = "analytics@example.com";
const limitMs = 100;
const callsPerRound = 20;

const pageLoads = 10;

const ranges = {
  "1 hour": "range=1h",
  "24 hours": "range=24h",
  "7 days": "range=7d",
  "30 days": "range=30d",
  "30 days, compared": "range=30d&compare=true",
  "13 months": "range=custom&from=2000-01-01T00:00:00Z&to=9999-01-01T00:00:00Z",
} as const;

/** Analytics of shields with 13 months of hours and 48 hours of minutes, beside sums without rollups. */
export const analytics: Benchmark = {
  name: "analytics",
  async run(options) {
    options.say("analytics: starting the whole product");
    const home = await createHome();
    const palisade = await startPalisade(home);
    const client = new Client({ connectionString: (await databaseOf(home)).ownerUrl });
    client.on("error", () => undefined);
    try {
      const { consoleUrl } = palisade;
      const call = await signUp(consoleUrl, email);
      const backend = { host: "127.0.0.1", port: 25_565 };
      const { id } = await createShield(call, backend, "analytics.example.com");
      await client.connect();
      options.say(`analytics: inserting the counters of ${shields} shields`);
      const copies = { template: id, emails: [email], shieldsEach: 2, shields };
      await insertShields(client, copies);
      await fillTelemetry(client, id);
      const token = await logInAs(consoleUrl, email);
      const url = `${consoleUrl}/api/v1/servers/${id}/analytics`;
      const rows = await measureAll(
        (query) => timedGet(`${url}?${query}`, token),
        client,
        id,
        options,
      );
      options.say("analytics: the page");
      return [...rows, await measurePage(consoleUrl, { token, id })];
    } finally {
      await client.end();
      await palisade.stop();
      await removeHome(home);
    }
  },
};

/** A reload of the page until its charts answer the keyboard, in a browser that has been there before. */
async function measurePage(
  consoleUrl: string,
  { token, id }: { readonly token: string; readonly id: string },
): Promise<Row> {
  const browser = await launchBrowser();
  try {
    const page = await createConsolePages(browser, consoleUrl).page({ token });
    const values: number[] = [];
    for (let load = -1; load < pageLoads; load += 1) {
      const startedAt = performance.now();
      await page.goto(`/dashboard/gameshield/${id}/analytics?range=30d`);
      const chart = page.getByRole("slider", { name: "Players online", exact: true });
      await chart.focus();
      const before = await chart.getAttribute("aria-valuetext");
      await chart.press("ArrowLeft");
      await until(async () => (await chart.getAttribute("aria-valuetext")) !== before);
      if (load >= 0) values.push(performance.now() - startedAt);
    }
    return {
      benchmark: "analytics",
      measure: "page of 30 days until a chart answers the keyboard: worst",
      unit: "ms",
      value: Math.max(...values),
      aim: { of: "value", is: "under", limit: 1_000 },
      note: `median ${median(values).toFixed(0)} ms of ${pageLoads} loads`,
    };
  } finally {
    await browser.close();
  }
}

async function measureAll(
  get: (query: string) => Promise<number>,
  client: Client,
  id: string,
  options: BenchmarkOptions,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, query] of Object.entries(ranges)) {
    options.say(`analytics: ${name}`);
    const values = await timesOf(() => get(query), {
      rounds: Math.min(options.rounds, 5),
      perRound: callsPerRound,
    });
    rows.push({
      benchmark: "analytics",
      measure: `${name}: p99`,
      unit: "ms",
      value: percentile(values, 0.99),
      aim: { of: "value", is: "under", limit: limitMs },
      note: `median ${median(values).toFixed(1)} ms of ${values.length} calls; ${shields} shields`,
    });
  }
  options.say("analytics: without rollups");
  for (const [name, days] of [
    ["24 hours", 1],
    ["30 days", 30],
  ] as const) {
    rows.push({
      benchmark: "analytics",
      measure: `${name} from minutes alone, in the database`,
      unit: "ms",
      value: await minutesAlone(client, id, days),
      note: "the same sums from one row a minute, with its index",
    });
  }
  return rows;
}
