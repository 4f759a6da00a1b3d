import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  beginTopUp,
  changeRecord,
  referenceOf,
  sendWebhook,
  type TopUp,
} from "#src/test-support/test-payments.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createUser } from "#src/test-support/test-users.ts";

const dayMs = 86_400_000;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

const run = (job: string): Promise<void> => {
  const { db, jobs } = testApp.platform;
  return db.transaction().execute((trx) => jobs.send(trx, job, {}));
};

const eventOf = (topUp: TopUp) =>
  testApp.platform.db
    .selectFrom("provider_events")
    .select(["body", "worked_at"])
    .where("reference", "=", referenceOf(topUp))
    .executeTakeFirstOrThrow();

const countCheckouts = async (): Promise<number> =>
  (await testApp.platform.db.selectFrom("sandbox_checkouts").select("reference").execute()).length;

test("old events lose their body and keep their id; old sandbox checkouts are removed", async () => {
  const user = await createUser(testApp);
  const [worked, unworked] = [
    await beginTopUp(testApp, user, { amount: 20 }),
    await beginTopUp(testApp, user, { amount: 30 }),
  ];
  const eventId = newId();
  await changeRecord(testApp, worked, { status: "paid" });
  await sendWebhook(testApp, worked, "checkout.completed", eventId);
  await sendWebhook(testApp, unworked, "checkout.completed");
  await until(async () => (await eventOf(worked)).worked_at !== null);
  await until(async () => (await eventOf(unworked)).worked_at !== null);
  await testApp.platform.db
    .updateTable("provider_events")
    .set({ worked_at: null, next_try_at: new Date("2100-01-01") })
    .where("reference", "=", referenceOf(unworked))
    .execute();

  testApp.clock.advance(15 * dayMs);
  const recent = await beginTopUp(testApp, await createUser(testApp), { amount: 1 });
  await sendWebhook(testApp, recent, "checkout.completed");
  await until(async () => (await eventOf(recent)).worked_at !== null);
  await until(async () => {
    await run("payments.clean");
    return (await eventOf(worked)).body === "";
  });
  expect((await eventOf(unworked)).body).toContain("checkout.completed");
  expect((await eventOf(recent)).body).toContain("checkout.completed");
  expect((await sendWebhook(testApp, worked, "checkout.completed", eventId)).statusCode).toBe(200);
  expect((await eventOf(worked)).body).toBe("");

  testApp.clock.advance(76 * dayMs);
  await until(async () => {
    await run("sandbox.clean");
    return (await countCheckouts()) === 1;
  });
});
