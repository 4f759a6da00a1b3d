import { clientOf, createShield, logInAs, signUp } from "@palisade/system-tests/product/account";
import {
  createHome,
  databaseOf,
  removeHome,
  startPalisade,
} from "@palisade/system-tests/product/palisade";
import { Client } from "pg";
import { createLogIndexes, dropLogIndexes, insertLogins } from "#src/api/bulk-logins.ts";
import { timedGet, timesOf } from "#src/api/timed-get.ts";
import { median, percentile } from "#src/statistics/statistics.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";

const days = 6;
const email = "logs@example.com";
/** With as many before them to warm up, all stay below the limit of one account: 240 in a minute. */
const callsEach = 11;
const callsWithout = 3;
const slowMs = 5_000;

/** The log of a shield with `--size` entries, each kind of search with its indexes and without. */
export const logs: Benchmark = {
  name: "logs",
  isExtra: true,
  async run(options) {
    const { size: count } = options;
    options.say("logs: starting the whole product");
    const home = await createHome();
    const palisade = await startPalisade(home);
    const owner = new Client({ connectionString: (await databaseOf(home)).ownerUrl });
    // A lost connection makes the running statement fail.
    owner.on("error", () => undefined);
    await owner.connect();
    try {
      const { consoleUrl } = palisade;
      await signUp(consoleUrl, email);
      const token = await logInAs(consoleUrl, email);
      const backend = { host: "127.0.0.1", port: 25_565 };
      const shield = await createShield(clientOf(consoleUrl, token), backend, "mc.example.com");
      options.say(`logs: inserting ${count.toLocaleString("en")} entries`);
      const indexes = await dropLogIndexes(owner);
      await insertLogins(owner, { shieldId: shield.id, count, days });
      const list = `${consoleUrl}/api/v1/servers/${shield.id}/logs/entries`;
      const get = (query: string) => timedGet(`${list}${query}`, token);
      // Some of these meet the api's time-out, which is then what they cost at least.
      const plainGet = (query: string) => timedGet(`${list}${query}`, token, true);
      options.say("logs: without indexes");
      const plain = await measureAll(plainGet, options, callsWithout);
      options.say("logs: creating the indexes");
      await createLogIndexes(owner, indexes);
      const indexed = await measureAll(get, options, callsEach);
      return searches(count).map(({ name }, index): Row => {
        const values = indexed[index] ?? [];
        return {
          benchmark: "logs",
          measure: `${name}: p99`,
          unit: "ms",
          value: percentile(values, 0.99),
          others: { "without indexes": median(plain[index] ?? []) },
          aim: { of: "value", is: "under", limit: 100 },
          note: `median ${median(values).toFixed(1)} ms of ${values.length} calls; ${count.toLocaleString("en")} entries`,
        };
      });
    } finally {
      await owner.end();
      await palisade.stop();
      await removeHome(home);
    }
  },
};

function searches(count: number) {
  const middle = Math.floor(count / 2_000) * 1_000 + 999;
  const trace = middle.toString(16).toUpperCase().padStart(8, "0");
  return [
    { name: "first page", query: "" },
    { name: "trace code", query: `?trace=${trace}` },
    { name: "player", query: `?player=Player_${middle}` },
    { name: "refused", query: "?verdict=refused" },
    { name: "country", query: "?country=BR" },
    { name: "domain and country", query: "?host=mc.example.com&country=DE" },
    { name: "address range", query: "?ip=10.1.2.0/24" },
    { name: "search, frequent text", query: "?q=bot_" },
    { name: "search, rare text", query: `?q=ayer_${middle}` },
    { name: "search, absent text", query: "?q=zzzzzz" },
  ];
}

async function measureAll(
  get: (query: string) => Promise<number>,
  options: BenchmarkOptions,
  calls: number,
): Promise<number[][]> {
  const all: number[][] = [];
  for (const { name, query } of searches(options.size)) {
    options.say(`logs: ${name}`);
    const warmMs = await get(query);
    // Calls that take seconds are made once.
    const values =
      warmMs > slowMs ? [warmMs] : await timesOf(() => get(query), { rounds: 1, perRound: calls });
    all.push(values);
  }
  return all;
}
