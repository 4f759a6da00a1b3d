import { listInvoices } from "@palisade/contract/http/invoices";
import { clientOf, logInAs, signUp } from "@palisade/system-tests/product/account";
import {
  createHome,
  databaseOf,
  removeHome,
  startPalisade,
} from "@palisade/system-tests/product/palisade";
import { Client } from "pg";
import { insertDocuments } from "#src/api/bulk-documents.ts";
import { timedGet, timesOf } from "#src/api/timed-get.ts";
import { median, percentile } from "#src/statistics/statistics.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";

const count = 10_000;
const year = 2025;
const email = "invoices@example.com";
/** One call after the other, as a person makes them. */
const callsPerRound = 20;

/** The list, its filters, the table and the PDF of an account with 10,000 documents in a year. */
export const invoices: Benchmark = {
  name: "invoices",
  async run(options) {
    options.say("invoices: starting the whole product");
    const home = await createHome();
    const palisade = await startPalisade(home);
    try {
      const { consoleUrl } = palisade;
      await signUp(consoleUrl, email);
      options.say(`invoices: inserting ${count} documents, and as many of others`);
      await fill(home);
      const token = await logInAs(consoleUrl, email);
      const page = await clientOf(consoleUrl, token)(listInvoices, { query: {} });
      const [newest] = page.data.data;
      if (page.data.total !== count || newest === undefined) {
        throw new Error(`the account has ${page.data.total} documents`);
      }
      const get = (path: string) => timedGet(`${consoleUrl}/api/v1${path}`, token);
      return await measureAll(get, newest.id, options);
    } finally {
      await palisade.stop();
      await removeHome(home);
    }
  },
};

type Get = (path: string) => Promise<number>;

async function measureAll(get: Get, id: string, options: BenchmarkOptions): Promise<Row[]> {
  const list = "/billing/invoices";
  const calls = [
    ["list, first page", `${list}?year=${year}`, 100],
    ["list, last page", `${list}?year=${year}&page=1000000`, 100],
    ["list, 100 a page", `${list}?year=${year}&per_page=100&page=50`, 100],
    ["list, by kind", `${list}?year=${year}&kind=credit_note`, 100],
    ["list, by method", `${list}?year=${year}&payment_method=paypal`, 100],
    ["list, by part of the number", `${list}?year=${year}&number=1234`, 100],
    ["PDF", `${list}/${id}/document.pdf?language=ru`, 500],
  ] as const;
  const rows: Row[] = [];
  for (const [name, path, limit] of calls) {
    options.say(`invoices: ${name}`);
    const values = await timesOf(() => get(path), {
      rounds: Math.min(options.rounds, 5),
      perRound: callsPerRound,
    });
    rows.push({
      benchmark: "invoices",
      measure: `${name}: p99`,
      unit: "ms",
      value: percentile(values, 0.99),
      aim: { of: "value", is: "under", limit },
      note: `median ${median(values).toFixed(1)} ms of ${values.length} calls; ${count} documents in the year`,
    });
  }
  options.say("invoices: CSV of the year");
  rows.push({
    benchmark: "invoices",
    measure: "CSV of the year, once",
    unit: "ms",
    value: await get(`${list}.csv?year=${year}`),
  });
  return rows;
}

async function fill(home: string): Promise<void> {
  const client = new Client({ connectionString: (await databaseOf(home)).ownerUrl });
  // A lost connection makes the running statement fail.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await insertDocuments(client, { email, count, year });
  } finally {
    await client.end();
  }
}
