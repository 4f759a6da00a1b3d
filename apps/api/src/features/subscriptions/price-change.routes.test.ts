import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import { enrolEdge, shieldBody } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";

let testApp: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  await setPrice(900);
  user = await createUser(testApp);
  await giveMoney(testApp, user, 2_000);
});
afterEach(() => requireWholeLedger(testApp));

const setPrice = (cents: number) =>
  testApp.platform.db
    .updateTable("pricing_plans")
    .set({ price_cents: String(cents) })
    .where("slug", "=", "plus")
    .execute();

async function buy(expected: object, locale = "en") {
  return call(testApp, routes.servers.createServer, {
    token: user.token,
    body: { ...(await shieldBody(testApp, user, "plus")), ...expected },
    headers: { "accept-language": locale },
  });
}

async function state() {
  const { db } = testApp.platform;
  const shields = await db
    .selectFrom("shields")
    .select("id")
    .where("owner_id", "=", user.id)
    .execute();
  const answer = await call(testApp, routes.auth.user, { token: user.token });
  const { balance } = routes.auth.user.response.parse(answer.json()).user;
  return { balance, shields: shields.length };
}

describe("a price that changes between choice and purchase", () => {
  test("is refused with 409 and the new price; nothing is charged or stored", async () => {
    await setPrice(1_200);
    const answer = await buy({ expected_price_cents: 900 });
    expect([answer.statusCode, answer.json().code]).toEqual([409, "price_changed"]);
    expect(answer.json().message).toBe(
      "The price is now 12.00 € a month. Please check it before you buy",
    );
    expect((await buy({ expected_price_cents: 900 }, "ru")).json().message).toBe(
      "Цена теперь 12.00 € в месяц. Проверьте её перед покупкой",
    );
    expect(await state()).toEqual({ balance: "20.00", shields: 0 });
    expect((await buy({ expected_price_cents: 1_200 })).statusCode).toBe(201);
    expect(await state()).toEqual({ balance: "8.00", shields: 1 });
  });

  test("is refused also when it became lower or free", async () => {
    for (const cents of [500, 0]) {
      await setPrice(cents);
      expect((await buy({ expected_price_cents: 900 })).statusCode).toBe(409);
    }
    expect(await state()).toEqual({ balance: "20.00", shields: 0 });
  });

  test("is the current price for callers that do not send the price they saw", async () => {
    await setPrice(1_200);
    expect((await buy({})).statusCode).toBe(201);
    expect(await state()).toEqual({ balance: "8.00", shields: 1 });
  });

  test.each([-1, 1.5, "900", 2 ** 60, null])("refuses the price %j with 422", async (price) => {
    const answer = await buy({ expected_price_cents: price });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues).toMatchObject([{ path: "expected_price_cents" }]);
  });

  test("a purchase waits for a price change that is under way and sees the new price", async () => {
    const operator = await hold(testApp, (trx) =>
      trx
        .updateTable("pricing_plans")
        .set({ price_cents: "1200" })
        .where("slug", "=", "plus")
        .execute(),
    );
    const purchase = buy({ expected_price_cents: 900 });
    await untilWaiting(testApp, 1);
    await operator.release();
    expect((await purchase).json()).toMatchObject({ code: "price_changed" });
    expect(await state()).toEqual({ balance: "20.00", shields: 0 });
  });

  test("a price change waits for a purchase that is under way, which pays the price it was shown", async () => {
    const spender = await hold(testApp, (trx) =>
      sql`select from ledger_balances for update`.execute(trx),
    );
    const purchase = buy({ expected_price_cents: 900 });
    await untilWaiting(testApp, 1);
    const change = setPrice(1_200);
    await untilWaiting(testApp, 2);
    await spender.release();
    expect((await purchase).statusCode).toBe(201);
    await change;
    expect(await state()).toEqual({ balance: "11.00", shields: 1 });
  });
});
