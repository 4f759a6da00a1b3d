import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { rssBytesOf } from "@palisade/testing/process-stats";
import { until } from "@palisade/testing/until";
import { createChannelWorld, type ChannelWorld } from "./channel-world.ts";
import { openTicketPage, type TicketPage } from "./ticket-watcher.ts";
import { writeInTicket } from "../test-live.ts";

/** The program of `npm run soak -- channel`. It stops by itself, at the latest after `runMsMax`. */

const runMsMax = 8 * 60_000;
const { values } = parseArgs({ options: { clients: { type: "string", default: "2000" } } });
const clients = Number(values.clients);
if (!Number.isInteger(clients) || clients < 2) {
  console.error("usage: npm run soak -- channel [--clients n]");
  process.exit(2);
}
setTimeout(() => {
  console.log(`BROKEN it took longer than ${runMsMax / 60_000} minutes`);
  process.exit(1);
}, runMsMax).unref();

/** Pages that open at once, and writers. */
const openingAtOnce = 50;
const writingAtOnce = 4;
const writesPerSecond = 250;
const faults: string[] = [];
const writtenAt = new Map<string, number>();

const world = await createChannelWorld(clients);
try {
  await run(world);
} finally {
  await world.close();
}
for (const fault of faults) console.log(`BROKEN ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);

async function run({ apis, customers }: ChannelWorld): Promise<void> {
  const [first, second] = apis;
  const before = rssBytesOf(first.pid);
  const pages: TicketPage[] = [];
  for (let from = 0; from < customers.length; from += openingAtOnce) {
    const part = customers.slice(from, from + openingAtOnce).map((customer, index) => {
      const own = index % 2 === 0 ? first : second;
      return openTicketPage(customer, () => (own.hasDied() ? first : own).url);
    });
    pages.push(...part);
    await until(() => part.every((page) => page.isReady()), { what: "pages that are live" });
  }
  console.log(`${pages.length} connections over two processes`);

  await writeToAll(pages, "one");
  await expectAllShown(pages, 1);
  printDelays("with two processes", pages);
  const perConnection = (rssBytesOf(first.pid) - before) / (pages.length / 2) / 1_024;
  console.log(
    `memory: ${mib(rssBytesOf(first.pid))} and ${mib(rssBytesOf(second.pid))} MiB, ${perConnection.toFixed(0)} KiB a connection`,
  );

  writtenAt.clear();
  const killedAfter = Math.floor(pages.length / 2);
  await writeToAll(pages, "two", (count) => {
    if (count === killedAfter) second.kill();
  });
  await second.exited;
  const lost = pages.filter((page) => page.client.state() !== "live").length;
  console.log(`one process killed after ${killedAfter} messages: ${lost} clients have lost it`);
  await until(() => pages.every((page) => page.client.state() === "live"), {
    what: "all clients at the other process",
  });
  await expectAllShown(pages, 2);
  printDelays("while one was killed, to clients that were connected", pages);

  writtenAt.clear();
  await writeToAll(pages, "three");
  await expectAllShown(pages, 3);
  printDelays("with one process", pages);
  console.log(`memory of the other: ${mib(rssBytesOf(first.pid))} MiB`);
  const repeats = pages.reduce((sum, page) => sum + page.repeats(), 0);
  const reads = pages.reduce((sum, page) => sum + page.reads(), 0);
  console.log(`${reads} reads of tickets, ${repeats} messages came over the channel again`);
  for (const page of pages) page.close();
}

/** At an even rate, so that the delays are those of the channel and not of a queue of writers. */
async function writeToAll(
  pages: readonly TicketPage[],
  body: string,
  onWritten: (count: number) => void = () => undefined,
): Promise<void> {
  const store = { platform: world, clock: { now: () => new Date() } };
  const author = { id: await staffId() };
  const queue = [...pages];
  const begunAt = performance.now();
  let written = 0;
  await Promise.all(
    Array.from({ length: writingAtOnce }, async () => {
      for (let page = queue.shift(); page !== undefined; page = queue.shift()) {
        const id = await writeInTicket(store, page.ticketId, { author, body, isAdmin: true });
        writtenAt.set(id, performance.now());
        written += 1;
        onWritten(written);
        const due = begunAt + (written / writesPerSecond) * 1_000;
        await delay(Math.max(0, due - performance.now()));
      }
    }),
  );
}

async function staffId(): Promise<string> {
  const { id } = await world.db.selectFrom("users").select("id").limit(1).executeTakeFirstOrThrow();
  return id;
}

/** Every page shows exactly its ticket's messages, each once and in their order. */
async function expectAllShown(pages: readonly TicketPage[], count: number): Promise<void> {
  await until(() => pages.every((page) => page.shown().length >= count), {
    what: `${count} messages on every page`,
  }).catch((error: unknown) => faults.push(String(error)));
  const rows = await world.db
    .selectFrom("ticket_messages")
    .select(["ticket_id", "id"])
    .orderBy("position", "desc")
    .execute();
  const stored = Map.groupBy(rows, (row) => row.ticket_id);
  let wrong = 0;
  for (const page of pages) {
    const expected = (stored.get(page.ticketId) ?? []).map(({ id }) => id);
    if (expected.length !== count || expected.join() !== page.shown().join()) wrong += 1;
  }
  if (wrong > 0) faults.push(`${wrong} pages do not show their ${count} messages once, in order`);
  else console.log(`${pages.length} pages show ${count} messages each, once and in order`);
}

/** From the commit to the client; messages that a client read after a gap have none. */
function printDelays(name: string, pages: readonly TicketPage[]): void {
  const delays: number[] = [];
  for (const page of pages) {
    for (const [id, at] of page.heardAt) {
      const since = writtenAt.get(id);
      if (since !== undefined) delays.push(Math.max(0, at - since));
    }
  }
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(1);
  console.log(
    `${name}: ${sorted.length} delivered, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
  );
}

function mib(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
