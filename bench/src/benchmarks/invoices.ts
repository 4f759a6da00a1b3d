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
      const get = (path: string) => timed(`${consoleUrl}/api/v1${path}`, token);
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
    // The first round is a warm-up.
    const values: number[] = [];
    for (let round = -1; round < Math.min(options.rounds, 5); round += 1) {
      for (let each = 0; each < callsPerRound; each += 1) {
        const ms = await get(path);
        if (round >= 0) values.push(ms);
      }
    }
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

/** @returns milliseconds until the whole answer was there */
async function timed(url: string, token: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  const ms = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`);
  return ms;
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
