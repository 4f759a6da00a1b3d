import { listServers } from "@palisade/contract/http/servers";
import { createShield, logInAs, signUp } from "@palisade/system-tests/product/account";
import {
  createHome,
  databaseOf,
  type Palisade,
  removeHome,
  startPalisade,
} from "@palisade/system-tests/product/palisade";
import { clientOf } from "@palisade/system-tests/product/account";
import autocannon from "autocannon";
import { Client } from "pg";
import { insertShields } from "#src/api/bulk-shields.ts";
import { median } from "#src/statistics/statistics.ts";
import { cpuUsOf, cpuUsOfTree } from "@palisade/testing/process-stats";
import type { Row } from "#src/report/row.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";

const shields = 100_000;
const connections = 50;
/** So many that none of them reaches the limit of reads in a minute; each connection asks as all in turn. */
const emails = Array.from({ length: 16 }, (_, n) => `user${n}@example.com`);
const shieldsEach = 25;

type Request = autocannon.Request;

interface Measurement {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
  readonly databaseCpuMs: number;
}

/** The calls behind the pages that owners use most, on a full database. */
export const api: Benchmark = {
  name: "api",
  async run(options) {
    options.say("api: starting the whole product");
    const home = await createHome();
    const palisade = await startPalisade(home);
    try {
      const requests = await prepare(palisade, options);
      const rows: Row[] = [];
      for (const [name, list] of Object.entries(requests)) {
        options.say(`api: ${name}`);
        rows.push(...(await measure(palisade, name, list, options)));
      }
      return rows;
    } finally {
      await palisade.stop();
      await removeHome(home);
    }
  },
};

/** Creates users and shields. @returns the requests of each call */
async function prepare(
  palisade: Palisade,
  { say }: BenchmarkOptions,
): Promise<Record<string, Request[]>> {
  const { consoleUrl, home } = palisade;
  const [first = ""] = emails;
  const call = await signUp(consoleUrl, first);
  for (const email of emails.slice(1)) await signUp(consoleUrl, email);
  const { id } = await createShield(call, { host: "127.0.0.1", port: 25_565 }, "api.example.com");
  say(`api: inserting ${shields} shields`);
  await fill(home, id);

  const lists: Request[] = [];
  const overviews: Request[][] = [];
  for (const email of emails) {
    const token = await logInAs(consoleUrl, email);
    const headers = { authorization: `Bearer ${token}` };
    const own = await clientOf(consoleUrl, token)(listServers, { query: {} });
    if (own.data.total < shieldsEach) throw new Error(`${email} has ${own.data.total} shields`);
    lists.push({ path: "/api/v1/servers", headers });
    for (const [index, shield] of own.data.data.entries()) {
      const path = `/api/v1/servers/${shield.id}/overview`;
      (overviews[index] ??= []).push({ path, headers });
    }
  }
  return { "GET /servers": lists, "GET /servers/{id}/overview": overviews.flat() };
}

async function fill(home: string, template: string): Promise<void> {
  const client = new Client({ connectionString: (await databaseOf(home)).ownerUrl });
  // A lost connection makes the running statement fail.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await insertShields(client, { template, emails, shieldsEach, shields });
  } finally {
    await client.end();
  }
}

async function measure(
  palisade: Palisade,
  name: string,
  requests: Request[],
  { rounds, seconds }: BenchmarkOptions,
): Promise<Row[]> {
  const pids = {
    api: await palisade.pidOf("api"),
    database: (await databaseOf(palisade.home)).pid,
  };
  const measurements: Measurement[] = [];
  // The first round is a warm-up.
  for (let round = -1; round < rounds; round++) {
    const measured = await runRound(palisade.consoleUrl, pids, requests, seconds);
    if (round >= 0) measurements.push(measured);
  }
  const row = (measure: string, unit: string, key: keyof Measurement, note?: string): Row => ({
    benchmark: "api",
    measure: `${name}: ${measure}`,
    unit,
    value: median(measurements.map((each) => each[key])),
    ...(note === undefined ? {} : { note }),
  });
  const note = `${shields} shields, ${connections} connections, ${emails.length} users`;
  return [
    row("answers", "/s", "perSecond", note),
    row("p50", "ms", "p50Ms"),
    row("p99", "ms", "p99Ms"),
    row("CPU of the api each", "ms", "cpuMs", "without PostgreSQL's"),
    row("CPU of PostgreSQL each", "ms", "databaseCpuMs"),
  ];
}

async function runRound(
  url: string,
  pids: { readonly api: number; readonly database: number },
  requests: Request[],
  seconds: number,
): Promise<Measurement> {
  const before = { api: cpuUsOf(pids.api), database: cpuUsOfTree(pids.database) };
  const result = await autocannon({ url, connections, duration: seconds, requests });
  const { total } = result.requests;
  const apiUs = cpuUsOf(pids.api) - before.api;
  const databaseUs = cpuUsOfTree(pids.database) - before.database;
  if (result.non2xx + result.errors + result.timeouts > 0) {
    throw new Error(`${result.non2xx} refused, ${result.errors} errors, ${result.timeouts} late`);
  }
  return {
    perSecond: total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMs: apiUs / 1_000 / total,
    databaseCpuMs: databaseUs / 1_000 / total,
  };
}
