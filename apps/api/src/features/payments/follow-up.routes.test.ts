import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  beginTopUp,
  changeRecord,
  confirm,
  poll,
  readIntent,
  referenceOf,
  type TopUp,
} from "#src/test-support/test-payments.ts";
import { createUser, type TestUser } from "#src/test-support/test-users.ts";

const minuteMs = 60_000;

let testApp: TestApp;
let user: TestUser;
const log: string[] = [];
beforeAll(async () => {
  testApp = await createTestApp({ onLog: (line) => log.push(line) });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(() => requireWholeLedger(testApp));

const cash = async (): Promise<number> => (await balanceOf(testApp.platform.db, user.id)).cashCents;

/** Lets the poller look until `condition` holds. */
const polled = (condition: () => Promise<boolean>) =>
  until(async () => {
    await poll(testApp);
    return condition();
  });

const intentRow = (topUp: TopUp) =>
  testApp.platform.db
    .selectFrom("payment_intents")
    .select(["status", "next_poll_at"])
    .where("id", "=", topUp.intent.id)
    .executeTakeFirstOrThrow();

/** An event in the inbox whose job has given up. */
async function leaveEvent(reference: string | null): Promise<string> {
  const id = newId();
  const now = testApp.clock.now();
  await testApp.platform.db
    .insertInto("provider_events")
    .values({
      id,
      provider: "sandbox",
      event_id: id,
      type: "checkout.completed",
      reference,
      body: "{}",
      received_at: now,
      worked_at: null,
      next_try_at: new Date(now.getTime() + 10 * minuteMs),
    })
    .execute();
  return id;
}

const isWorked = async (id: string): Promise<boolean> => {
  const { worked_at: workedAt } = await testApp.platform.db
    .selectFrom("provider_events")
    .select("worked_at")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return workedAt !== null;
};

/** As if the provider the top-up was ordered at had been taken out of the configuration. */
async function takeProviderAway(topUp: TopUp): Promise<void> {
  await testApp.platform.db
    .updateTable("payment_intents")
    .set({ provider: "stripe" })
    .where("id", "=", topUp.intent.id)
    .execute();
}

describe("the poller", () => {
  test("credits a payment after expiry without any event", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    testApp.clock.advance(51 * minuteMs);
    expect((await confirm(testApp, user, topUp)).status).toBe("expired");
    await changeRecord(testApp, topUp, { status: "paid" });
    testApp.clock.advance(31 * minuteMs);
    await polled(async () => (await cash()) === 2_000);
    expect((await readIntent(testApp, user, topUp)).status).toBe("completed");
  });

  test("polls an expired intent for seven days", async () => {
    const paid = await beginTopUp(testApp, user, { amount: 20 });
    const unpaid = await beginTopUp(testApp, user, { amount: 30 });
    testApp.clock.advance(51 * minuteMs);
    for (const each of [paid, unpaid]) await confirm(testApp, user, each);
    testApp.clock.advance(7 * 1_440 * minuteMs - 60 * minuteMs);
    const due = (await intentRow(unpaid)).next_poll_at;
    await polled(async () => (await intentRow(unpaid)).next_poll_at?.getTime() !== due?.getTime());
    await changeRecord(testApp, paid, { status: "paid" });
    testApp.clock.advance(60 * minuteMs);
    await polled(async () => (await cash()) === 2_000);
    await polled(async () => (await intentRow(unpaid)).next_poll_at === null);
    expect((await intentRow(unpaid)).status).toBe("expired");
  });

  test("processes an event whose job gave up", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    await changeRecord(testApp, topUp, { status: "cancelled" });
    // Cancelled: from here on only an event can lead to this record.
    expect((await confirm(testApp, user, topUp)).status).toBe("cancelled");
    await changeRecord(testApp, topUp, { status: "paid" });
    const event = await leaveEvent(referenceOf(topUp));
    testApp.clock.advance(10 * minuteMs);
    await polled(() => isWorked(event));
    expect(await cash()).toBe(2_000);
    expect((await readIntent(testApp, user, topUp)).status).toBe("completed");
  });

  test("postpones an event that fails, and processes the ones after it", async () => {
    const { db } = testApp.platform;
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    const stuck = await leaveEvent(referenceOf(topUp));
    const behind = await leaveEvent(null);
    await takeProviderAway(topUp);
    await db
      .updateTable("provider_events")
      .set({ provider: "stripe" })
      .where("id", "=", stuck)
      .execute();
    testApp.clock.advance(10 * minuteMs);
    const failed = () =>
      db
        .selectFrom("provider_events")
        .select(["tries", "next_try_at"])
        .where("id", "=", stuck)
        .executeTakeFirstOrThrow();
    await polled(async () => (await isWorked(behind)) && (await failed()).tries > 0);
    expect(await failed()).toEqual({
      tries: 1,
      next_try_at: new Date(testApp.clock.now().getTime() + 10 * minuteMs),
    });
    expect(await isWorked(stuck)).toBe(false);
  });

  test("expires intents of a removed provider a day after their end, and logs that once", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    await takeProviderAway(topUp);
    const pollsOf = async (): Promise<number> =>
      (
        await testApp.platform.db
          .selectFrom("payment_intents")
          .select("polls")
          .where("id", "=", topUp.intent.id)
          .executeTakeFirstOrThrow()
      ).polls;
    for (let polls = 1; polls < 4; polls += 1) {
      testApp.clock.advance(51 * minuteMs);
      await polled(async () => (await pollsOf()) >= polls);
    }
    expect((await intentRow(topUp)).status).toBe("pending");
    testApp.clock.advance(1_440 * minuteMs);
    await polled(async () => (await intentRow(topUp)).status === "expired");
    const said = log.filter((line) => /not set up/.test(line) && !/"A job failed"/.test(line));
    expect(said).toHaveLength(1);
  });
});
