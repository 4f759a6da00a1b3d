import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { claimPromoCode } from "./promo-codes.service.ts";
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
  test("quotes the bonus rounded down to cents, and ignores case and spaces around the code", async () => {
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

  test("claims nothing, however often it is called", async () => {
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
      "a code that this user has used as often as allowed",
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
    "refuses the amount %j with 422",
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

describe("a code in use by many", () => {
  const codeRow = (code: string) =>
    testApp.platform.db
      .selectFrom("promo_codes")
      .select(["id", "claims"])
      .where("code", "=", code)
      .executeTakeFirstOrThrow();

  test("is promised to one user while another user's payment claims it, without waiting", async () => {
    const code = await addPromoCode(testApp, { percentage: 10 });
    const topUp = await beginTopUp(testApp, user, { amount: 10, promoCode: code });
    const { id } = await codeRow(code);
    const other = await createUser(testApp);
    await testApp.platform.db.transaction().execute(async (trx) => {
      const isClaimed = await claimPromoCode(trx, {
        promoCodeId: id,
        userId: user.id,
        intentId: topUp.intent.id,
        bonusCents: 100,
        now: testApp.clock.now(),
      });
      expect(isClaimed).toBe(true);
      // The transaction that claims goes on until this is answered.
      const next = await beginTopUp(testApp, other, { amount: 10, promoCode: code });
      expect(next.intent.promo?.state).toBe("promised");
    });
  });

  test("counts its claims, also when many are made at once", async () => {
    const code = await addPromoCode(testApp, { percentage: 10, totalMax: 5 });
    const payers: TestUser[] = [];
    for (let count = 0; count < 8; count += 1) payers.push(await createUser(testApp));
    const topUps = await Promise.all(
      payers.map((payer) => beginTopUp(testApp, payer, { amount: 10, promoCode: code })),
    );
    for (const topUp of topUps) await changeRecord(testApp, topUp, { status: "paid" });
    const intents = await Promise.all(
      payers.map((payer, index) => confirm(testApp, payer, topUps[index] ?? missing())),
    );
    expect(intents.filter(({ promo }) => promo?.state === "applied")).toHaveLength(5);
    const { id, claims } = await codeRow(code);
    const rows = await testApp.platform.db
      .selectFrom("promo_claims")
      .select("intent_id")
      .where("promo_code_id", "=", id)
      .execute();
    expect([claims, rows.length]).toEqual([5, 5]);
    expect((await validate(code)).json().code).toBe("promo_invalid");
  });
});

function missing(): never {
  throw new Error("There is a top-up of each payer");
}
