import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { poll } from "#src/test-support/test-payments.ts";
import { call, createUser, type TestUser } from "#src/test-support/test-users.ts";

const { createStripeIntent, getPaymentOptions, listTransactions } = routes.billing;

let testApp: TestApp;
let replica: TestApp;
let owner: pg.Client;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
  owner = new pg.Client({ connectionString: testApp.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(async () => {
  await owner.query("rollback");
  await owner.query("drop function if exists break_step cascade");
});

function order(payer: TestUser, key: string, { app = testApp, amount = 20 } = {}) {
  return call(app, createStripeIntent, {
    token: payer.token,
    body: { amount, payment_method: "stripe" },
    headers: { "idempotency-key": key },
  });
}

const countOf = async (table: string): Promise<number> =>
  Number((await owner.query(`select count(*) from ${table}`)).rows[0].count);

const intents = () =>
  testApp.platform.db
    .selectFrom("payment_intents")
    .select(["id", "reference", "status"])
    .where("user_id", "=", user.id)
    .execute();

const checkouts = () =>
  testApp.platform.db
    .selectFrom("sandbox_checkouts")
    .innerJoin("payment_intents", "payment_intents.id", "sandbox_checkouts.order_id")
    .select(["sandbox_checkouts.reference", "order_id"])
    .where("user_id", "=", user.id)
    .execute();

/** The provider's books, or ours of its answer, fail as they do where a lock is waited for too long. */
async function breakWrites(when: string): Promise<void> {
  await owner.query(`
    create function break_step() returns trigger language plpgsql as
      $$ begin raise exception 'broken step' using errcode = 'lock_not_available'; end $$;
    create trigger break_step before ${when} execute function break_step();
  `);
}

const mendWrites = () => owner.query("drop function break_step cascade");

describe("a provider that does not answer", () => {
  test("blocks no database connection: other users are served, and its callers can repeat", async () => {
    const payers: TestUser[] = [];
    for (let count = 0; count < 20; count += 1) payers.push(await createUser(testApp));
    const before = await countOf("payment_intents");
    // From here on the sandbox hangs, as a provider behind a dead line does.
    await owner.query("begin");
    await owner.query("lock table sandbox_checkouts in access exclusive mode");
    const ordered = payers.map((payer, index) => order(payer, `slow-${index}`));
    await until(async () => (await countOf("payment_intents")) === before + payers.length);

    const others = await Promise.all(
      payers.flatMap(({ token }) => [
        call(testApp, getPaymentOptions, { token }),
        call(testApp, listTransactions, { token, query: {} }),
      ]),
    );
    expect(new Set(others.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));

    await owner.query("rollback");
    for (const { statusCode } of await Promise.all(ordered))
      expect([201, 503]).toContain(statusCode);
    for (const [index, payer] of payers.entries()) {
      expect((await order(payer, `slow-${index}`, { app: replica })).statusCode).toBe(201);
    }
    expect(await countOf("payment_intents")).toBe(before + payers.length);
  });

  test("makes a second request with the same key wait for the first", async () => {
    await owner.query("begin");
    await owner.query("lock table sandbox_checkouts in access exclusive mode");
    const first = order(user, "waiting");
    await until(async () => (await intents()).length === 1);
    const second = await order(user, "waiting");
    expect([second.statusCode, second.json().code]).toEqual([409, "idempotency_in_progress"]);
    await owner.query("rollback");
    expect((await first).statusCode).toBe(201);
    expect((await order(user, "waiting")).json()).toEqual((await first).json());
  });

  test("gets only a few orders of one user at once", async () => {
    await owner.query("begin");
    await owner.query("lock table sandbox_checkouts in access exclusive mode");
    const ordered = Array.from({ length: 6 }, (_, index) => order(user, `many-${index}`));
    await until(async () => (await intents()).length === 6);
    const refused = await Promise.race(ordered);
    expect([refused.statusCode, refused.json().code]).toEqual([429, "rate_limited"]);
    await owner.query("rollback");
    const answers = await Promise.all(ordered);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2);
  });
});

describe("an order that failed on the way is completed by its key, also on another api,", () => {
  test.each([
    ["before the provider had it", "insert on sandbox_checkouts for each row", 0],
    [
      "after the provider accepted it",
      "update on payment_intents for each row when (new.reference is distinct from old.reference)",
      1,
    ],
    ["once its answer was stored", "update on idempotency_keys for each row", 1],
  ])("%s", async (_, when, ordered) => {
    await breakWrites(when);
    const failed = await order(user, "broken");
    expect([failed.statusCode, failed.json().code]).toEqual([503, "unavailable"]);
    expect([await intents(), await checkouts()]).toMatchObject([
      [{ status: "pending" }],
      Array.from({ length: ordered }, () => ({})),
    ]);
    await mendWrites();

    const repeated = await order(user, "broken", { app: replica });
    expect(repeated.statusCode).toBe(201);
    const { intent, checkout_url: url } = repeated.json();
    expect(await intents()).toEqual([
      { id: intent.id, status: "pending", reference: url.split("/").at(-1) },
    ]);
    expect(await checkouts()).toEqual([{ order_id: intent.id, reference: url.split("/").at(-1) }]);
    expect((await order(user, "broken")).json()).toEqual(repeated.json());
    const other = await order(user, "broken", { amount: 21 });
    expect(other.json().code).toBe("idempotency_mismatch");
  });

  test("only while the provider still accepts it; later it expires and does not count towards the day", async () => {
    await breakWrites("insert on sandbox_checkouts for each row");
    expect((await order(user, "late", { amount: 1_000 })).statusCode).toBe(503);
    await mendWrites();
    testApp.clock.advance(14 * 60_000);
    const late = await order(user, "late", { amount: 1_000 });
    expect([late.statusCode, late.json().code]).toEqual([409, "payment_unavailable"]);
    expect((await order(user, "anew", { amount: 1_000 })).statusCode).toBe(201);
    testApp.clock.advance(37 * 60_000);
    await until(async () => {
      await poll(testApp);
      return (await intents()).some(
        ({ status, reference }) => status === "expired" && reference === null,
      );
    });
    expect(await checkouts()).toHaveLength(1);
  });
});
