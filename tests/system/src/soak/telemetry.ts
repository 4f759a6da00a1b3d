import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { createShield, signUp } from "../product/account.ts";
import { createHome, databaseOf, removeHome, startPalisade } from "../product/palisade.ts";
import {
  deliver,
  insertFleetEdges,
  insertFleetShields,
  nextReport,
  type NumberedReport,
  type Sent,
  type SimulatedEdge,
} from "../telemetry/simulated-fleet.ts";

/**
 * `npm run soak -- telemetry [--shields 100000] [--edges 50] [--minutes 10]`
 *
 * Simulated edges report every shield each minute to the real product. Some reports come twice at once,
 * some again minutes later, some late, and edges start again. Nothing may be lost or counted twice.
 */

const { values } = parseArgs({
  options: {
    shields: { type: "string", default: "100000" },
    edges: { type: "string", default: "50" },
    minutes: { type: "string", default: "10" },
  },
});
const plan = {
  shields: Number(values.shields),
  edges: Number(values.edges),
  minutes: Number(values.minutes),
};
if (!Object.values(plan).every((n) => Number.isInteger(n) && n > 0)) {
  console.error("all options are whole numbers above 0");
  process.exit(2);
}

const minuteMs = 60_000;
/** Reports on their way at once, as from edges that do not wait for each other. */
const atOnce = 8;
const sent: Sent = { rows: 0, joins: 0, bytes: 0, rate: 0 };
const lagsMs: number[] = [];
const faults: string[] = [];
const repeatedLater: { edge: SimulatedEdge; report: NumberedReport }[] = [];

const home = await createHome();
const palisade = await startPalisade(home);
const database = new Client({ connectionString: (await databaseOf(home)).ownerUrl });
try {
  const call = await signUp(palisade.consoleUrl, "soak@example.com");
  const { id } = await createShield(call, { host: "127.0.0.1", port: 25_565 }, "soak.example.com");
  await database.connect();
  console.log(`inserting ${plan.shields} shields and ${plan.edges} edges`);
  const shields = await insertFleetShields(database, id, plan.shields);
  const edges = await insertFleetEdges(database, palisade.consoleUrl, shields, plan.edges);
  for (let minute = 0; minute < plan.minutes; minute += 1) await runMinute(edges, minute);
  for (const { edge, report } of repeatedLater) await expectRepeated(edge, report);
  await check();
} finally {
  await database.end();
  await palisade.stop();
  await removeHome(home);
}
for (const fault of faults) console.log(`BROKEN ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);

/** Reports of the minute that has just ended; the next ones begin a minute later. */
async function runMinute(edges: readonly SimulatedEdge[], minute: number): Promise<void> {
  const startedAt = performance.now();
  const start = new Date(Math.floor(Date.now() / minuteMs) * minuteMs).toISOString();
  const queue = edges.map((edge, index) => async () => {
    // An edge in twenty starts again in each minute.
    if ((index + minute) % 20 === 19) Object.assign(edge, { bootId: randomUUID(), seq: 0 });
    const report = nextReport(edge, start, sent);
    const copies = (index + minute) % 5 === 0 ? 2 : 1;
    const counted = await Promise.all(Array.from({ length: copies }, () => deliver(edge, report)));
    lagsMs.push(performance.now() - startedAt);
    if (counted.filter(Boolean).length !== 1) {
      faults.push(`of the copies of a report, these counted: ${counted.join(", ")}`);
    }
    if ((index + minute) % 25 === 0) repeatedLater.push({ edge, report });
  });
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next();
    }),
  );
  const tookMs = performance.now() - startedAt;
  console.log(`minute ${minute + 1}: ${sent.rows} rows sent, ${(tookMs / 1_000).toFixed(1)} s`);
  if (minute + 1 < plan.minutes) await delay(Math.max(0, minuteMs - tookMs));
}

async function expectRepeated(edge: SimulatedEdge, report: NumberedReport): Promise<void> {
  if (await deliver(edge, report)) faults.push("a repeated report counted again");
}

async function check(): Promise<void> {
  const { rows } = await database.query<Record<keyof Sent, string>>(
    `select (select count(*) from telemetry_minutes) as rows, sum(joins) as joins,
       sum(coalesce(bytes_up, 0) + coalesce(bytes_down, 0)) as bytes,
       sum((reasons->>'r:rate')::bigint) as rate
     from telemetry_daily`,
  );
  for (const name of ["rows", "joins", "bytes", "rate"] as const) {
    const found = Number(rows[0]?.[name] ?? 0);
    if (found !== sent[name]) faults.push(`${name}: ${sent[name]} sent, ${found} counted`);
  }
  const lag = Math.max(...lagsMs);
  if (lag > minuteMs) faults.push(`the last report of a minute took ${Math.round(lag)} ms`);
  console.log(`counted ${sent.rows} rows, ${sent.joins} joins, ${sent.bytes} bytes`);
  console.log(`highest lag ${(lag / 1_000).toFixed(1)} s`);
  await printSizes();
}

/** From the bytes of a row: 48 hours of minutes, 14 days of ten minutes and a month of hours. */
async function printSizes(): Promise<void> {
  const kept = { minutes: 2_880, tens: 2_016, hours: 720 };
  let total = 0;
  for (const [name, count] of Object.entries(kept)) {
    const { rows } = await database.query<{ bytes: string; rows: string }>(
      `select coalesce(sum(pg_total_relation_size(inhrelid)), 0) as bytes,
         (select count(*) from telemetry_${name}) as rows
       from pg_inherits where inhparent = 'telemetry_${name}'::regclass`,
    );
    const perRow = Number(rows[0]?.bytes) / Math.max(1, Number(rows[0]?.rows));
    // Hours are over too seldom for a short run; a row is like one of ten minutes.
    const isCounted = Number(rows[0]?.rows) >= plan.shields;
    if (isCounted) total += (perRow * count) / 1_024;
    console.log(
      `${name}: ${rows[0]?.rows} rows${isCounted ? `, ${perRow.toFixed(0)} bytes each` : ", too few to say"}`,
    );
  }
  console.log(`database: ${total.toFixed(0)} KiB per shield and month, always busy`);
}
