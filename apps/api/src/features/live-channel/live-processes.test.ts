import { closeCodes, ticketChannel } from "@palisade/contract/http/live-channel";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { goLive, insertTicket, openLive, writeInTicket } from "#src/test-support/test-live.ts";
import { createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let first: TestApp;
let second: TestApp;
let customer: TestUser;
let support: TestUser;

beforeAll(async () => {
  first = await createTestApp();
  second = await createTestApp({ sharing: first });
  customer = await createUser(first);
  support = await createStaff(first, ["support"]);
});
afterAll(async () => {
  await second.close();
  await first.close();
});

test("messages written at once through two processes arrive everywhere, once and in order", async () => {
  const ticketId = await insertTicket(first, customer);
  const watchers = [
    await goLive(first, customer, ticketId),
    await goLive(second, customer, ticketId),
    await goLive(second, support, ticketId),
  ];
  const bodies = Array.from({ length: 40 }, (_, n) => `message ${n}`);
  await Promise.all(
    bodies.map((body, n) =>
      writeInTicket(n % 2 === 0 ? first : second, ticketId, { author: customer, body }),
    ),
  );
  const stored = await first.platform.db
    .selectFrom("ticket_messages")
    .select("id")
    .where("ticket_id", "=", ticketId)
    .orderBy("position")
    .execute();
  for (const watcher of watchers) {
    const heard = await watcher.wait("new-message", bodies.length);
    expect(heard.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    watcher.socket.terminate();
  }
});

test("nothing is lost while the connection for notifications is cut", async () => {
  const ticketId = await insertTicket(first, customer);
  const live = await goLive(first, customer, ticketId);
  const ended = await goLive(first, customer);
  for (let n = 0; n < 5; n += 1) {
    await cutNotifications();
    await writeInTicket(second, ticketId, { author: customer, body: `during the gap ${n}` });
  }
  const heard = await live.wait("new-message", 5);
  expect(heard.map(({ message }) => message)).toEqual(
    Array.from({ length: 5 }, (_, n) => `during the gap ${n}`),
  );
  // A session that ended during a gap is found out as well.
  await cutNotifications();
  await first.platform.db.deleteFrom("sessions").where("user_id", "=", customer.id).execute();
  expect(await live.closes()).toBe(closeCodes.expired);
  expect(await ended.closes()).toBe(closeCodes.expired);
  customer = await createUser(first);
});

async function cutNotifications(): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'palisade-api-bus' and datname = current_database()
  `.execute(first.platform.db);
}

test("people of all processes are shown, and those of one that ends no longer", async () => {
  const ticketId = await insertTicket(first, customer);
  const channel = ticketChannel(ticketId);
  const third = await createTestApp({ sharing: first });
  const theirs = await goLive(first, customer, ticketId);
  const ours = await goLive(third, support, ticketId);
  expect((await theirs.wait("presence")).at(-1)?.people).toEqual([
    { is_admin: true, name: "Support" },
  ]);
  expect((await ours.wait("presence")).at(-1)?.people).toEqual([
    { is_admin: false, name: customer.email },
  ]);
  ours.say({ event: "typing", data: { channel } });
  expect(await theirs.wait("typing")).toEqual([{ channel, is_admin: true, name: "Support" }]);
  await third.close();
  expect(ours.closedWith()).toBe(closeCodes.goingAway);
  await until(() => theirs.heard("presence").at(-1)?.people.length === 0);
  theirs.socket.terminate();
});

test("an api that shuts down sends its clients away and does not wait for slow ones", async () => {
  const third = await createTestApp({ sharing: first });
  const live = await goLive(third, customer);
  const silent = await openLive(third);
  // It reads nothing any more, so it never answers the goodbye.
  silent.socket.pause();
  await third.close();
  expect(await live.closes()).toBe(closeCodes.goingAway);
  silent.socket.terminate();
});
