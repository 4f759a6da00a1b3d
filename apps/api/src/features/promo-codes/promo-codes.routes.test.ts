import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addPromoCode,
  beginTopUp,
  changeRecord,
  confirm,
} from "#src/test-support/test-payments.ts";
import { call, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  user = await createUser(testApp);
});

function validate(code: unknown, amount: unknown = 20, language = "en", of = user) {
  return call(testApp, routes.billing.validatePromoCode, {
    token: of.token,
    body: { code, amount },
    headers: { "accept-language": language },
  });
}

async function use(code: string, payer: TestUser): Promise<void> {
  const topUp = await beginTopUp(testApp, payer, { amount: 10, promoCode: code });
  await changeRecord(testApp, topUp, { status: "paid" });
  await confirm(testApp, payer, topUp);
}

describe("validating a promo code", () => {
  test("quotes the bonus in floored cents, whatever case and spaces were typed", async () => {
    const code = await addPromoCode(testApp, { percentage: 7 });
    const answer = await validate(`  ${code.toLowerCase()} `, 19);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      code,
      percentage: 7,
      bonus_amount: "1.33",
      bonus_cents: 133,
      total: "20.33",
      total_cents: 2_033,
      message: "Promo code applied!",
    });
    expect((await validate(code, 19, "ru")).json().message).toMatch(/[а-я]/i);
  });

  test("claims nothing, however often it is asked", async () => {
    const code = await addPromoCode(testApp, { percentage: 10, totalMax: 1 });
    for (let count = 0; count < 5; count += 1) {
      expect((await validate(code)).statusCode).toBe(200);
    }
    await beginTopUp(testApp, user, { amount: 10, promoCode: code });
    expect((await validate(code)).statusCode).toBe(200);
  });

  test.each([
    ["unknown", () => Promise.resolve("NO-SUCH")],
    ["no code at all", () => Promise.resolve("a\u0000'; --")],
    [
      "not valid yet",
      () =>
        addPromoCode(testApp, {
          percentage: 10,
          startsAt: new Date(testApp.clock.now().getTime() + 1),
        }),
    ],
    [
      "no longer valid",
      () =>
        addPromoCode(testApp, {
          percentage: 10,
          startsAt: new Date(testApp.clock.now().getTime() - 1),
          endsAt: testApp.clock.now(),
        }),
    ],
    [
      "used up",
      async () => {
        const code = await addPromoCode(testApp, { percentage: 10, totalMax: 1 });
        await use(code, await createUser(testApp));
        return code;
      },
    ],
    [
      "used by this user as often as allowed",
      async () => {
        const code = await addPromoCode(testApp, { percentage: 10, perUserMax: 2 });
        await use(code, user);
        await use(code, user);
        return code;
      },
    ],
  ])("one that is %s is 422 'Invalid promo code' and no more is told", async (_, make) => {
    const answer = await validate(await make());
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: "promo_invalid",
      message: "Invalid promo code",
      issues: [{ path: "code", message: "Invalid promo code" }],
    });
  });

  test("a limit per user leaves the code to others", async () => {
    const code = await addPromoCode(testApp, { percentage: 10, perUserMax: 1 });
    await use(code, user);
    expect((await validate(code)).statusCode).toBe(422);
    const other = await createUser(testApp);
    expect((await validate(code, 20, "en", other)).statusCode).toBe(200);
  });

  test.each([[0], ["20"], [1_001], [undefined]])(
    "needs a valid amount: %j is 422",
    async (amount) => {
      const code = await addPromoCode(testApp, { percentage: 10 });
      const answer = await call(testApp, routes.billing.validatePromoCode, {
        token: user.token,
        body: { code, amount },
      });
      expect(answer.statusCode).toBe(422);
      expect(answer.json().issues).toMatchObject([{ path: "amount" }]);
    },
  );
});
