import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { beginCardSetup } from "#src/test-support/card-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { requireWholeLedger } from "#src/test-support/test-money.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(() => requireWholeLedger(testApp));

const { listCards, confirmCardSetup, removeCard } = routes.paymentMethods;
const chargeCard = () => testApp.chargeSavedCard(user.id, 999, `renewal:${newId()}`);
const cash = async () => (await balanceOf(testApp.platform.db, user.id)).cashCents;

/** Saves a card that ends in these digits. @returns its id */
async function save(last4: string): Promise<string> {
  const { token } = user;
  const setupId = await beginCardSetup(testApp, token);
  await testApp.platform.db
    .updateTable("sandbox_cards")
    .set({ last4 })
    .where("setup_id", "=", setupId)
    .execute();
  const options = { token, params: { setupId } };
  const answer = await expectStatus(call(testApp, confirmCardSetup, options), 200);
  return confirmCardSetup.response.parse(answer.json()).cards[0]?.id ?? "";
}

describe("a card at the sandbox", () => {
  test("is labelled as such and charged without money", async () => {
    await save("4242");
    const answer = await call(testApp, listCards, { token: user.token });
    expect(listCards.response.parse(answer.json())).toMatchObject({
      mode: "sandbox",
      cards: [{ brand: "visa", last4: "4242", is_default: true }],
    });
    expect((await chargeCard()).outcome).toBe("paid");
    expect(await cash()).toBe(999);
  });

  test.each([
    ["0002", "declined"],
    ["3155", "needs-authentication"],
  ])("that ends in %s answers a charge with %s", async (last4, outcome) => {
    await save(last4);
    expect((await chargeCard()).outcome).toBe(outcome);
    expect(await cash()).toBe(0);
  });

  test("is gone at the provider, too, after it was removed", async () => {
    const cardId = await save("4242");
    const options = { token: user.token, params: { cardId } };
    await expectStatus(call(testApp, removeCard, options), 200);
    await until(async () => {
      const rows = await testApp.platform.db
        .selectFrom("sandbox_cards")
        .select("removed_at")
        .where("customer_id", "=", `customer-${user.id}`)
        .execute();
      return rows.every(({ removed_at }) => removed_at !== null);
    });
    expect(await chargeCard()).toEqual({ outcome: "declined", reason: "no card" });
  });

  test("is forgotten with the account", async () => {
    await save("4242");
    const { token, email, id } = user;
    await expectStatus(
      call(testApp, routes.account.deleteAccount, { token, body: { email } }),
      200,
    );
    for (const table of ["saved_cards", "payment_customers", "card_setups"] as const) {
      const row = await testApp.platform.db
        .selectFrom(table)
        .select("user_id")
        .where("user_id", "=", id)
        .executeTakeFirst();
      expect([table, row]).toEqual([table, undefined]);
    }
    await until(async () => {
      const rows = await testApp.platform.db
        .selectFrom("sandbox_cards")
        .select("removed_at")
        .where("customer_id", "=", `customer-${id}`)
        .execute();
      return rows.every(({ removed_at }) => removed_at !== null);
    });
  });
});
