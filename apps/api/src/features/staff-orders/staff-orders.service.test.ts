import { routes } from "@palisade/contract/http/routes";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf, charge } from "#src/features/ledger/ledger.service.ts";
import { listQuarantine } from "#src/features/payments/quarantine.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeBooks } from "#src/test-support/test-money.ts";
import { beginTopUp, changeRecord, confirm, sendWebhook } from "#src/test-support/test-payments.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import type { StaffOrderContent } from "./staff-order-actions.service.ts";
import {
  confirmOrder,
  listWaitingOrders,
  placeOrder,
  rejectOrder,
} from "./staff-orders.service.ts";

let testApp: TestApp;
let user: TestUser;
let ann: TestUser;
let ben: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  [ann, ben] = [await createStaff(testApp), await createStaff(testApp)];
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(() => requireWholeBooks(testApp));

const deps = (fourEyesCents = 100_000) => ({
  db: testApp.platform.db,
  audit: testApp.platform.audit,
  fourEyesCents,
});
const balance = (of = user) => balanceOf(testApp.platform.db, of.id);
const now = () => testApp.clock.now();

const place = (content: StaffOrderContent, options: { key?: string; limit?: number } = {}) =>
  placeOrder(deps(options.limit), {
    content,
    reason: "Ticket 7",
    by: ann.id,
    requestKey: options.key ?? newId(),
    now: now(),
  });
const adjust = (cents: number): StaffOrderContent => ({
  kind: "adjust",
  details: { userId: user.id, cents },
});
const refused = (code: string) => expect.objectContaining({ code });

async function auditRows(chain = `user:${user.id}`) {
  const rows = await testApp.platform.db
    .selectFrom("audit_log")
    .select(["endpoint", "actor_id"])
    .where("chain", "=", chain)
    .where("method", "=", "CLI")
    .orderBy("seq")
    .execute();
  return rows.map(({ endpoint, actor_id }) => [endpoint, actor_id]);
}

describe("an adjustment", () => {
  test("moves cash with its reason, and is in the account's audit log under the staff member", async () => {
    await place(adjust(2_050));
    await place(adjust(-50));
    expect(await balance()).toEqual({ cashCents: 2_000, bonusCents: 0 });
    expect(await auditRows()).toEqual([
      ["money adjust", ann.id],
      ["money adjust", ann.id],
    ]);
    const notes = await testApp.platform.db.selectFrom("ledger_txns").select("note").execute();
    expect(notes).toContainEqual({ note: "Ticket 7" });
  });

  test("takes no more cash than there is, and then leaves nothing behind", async () => {
    await giveMoney(testApp, user, 100);
    await giveMoney(testApp, user, 500, "bonus");
    const key = newId();
    await expect(place(adjust(-101), { key })).rejects.toEqual(refused("insufficient_funds"));
    expect(await balance()).toEqual({ cashCents: 100, bonusCents: 500 });
    expect(await auditRows()).toEqual([]);
    expect((await place(adjust(-100), { key })).outcome).toBe("done");
  });

  test("under one key is done once, also 8 times at once; another order under it is refused", async () => {
    const key = newId();
    const placed = await Promise.all(Array.from({ length: 8 }, () => place(adjust(700), { key })));
    expect(new Set(placed.map(({ id }) => id)).size).toBe(1);
    expect(placed.filter(({ outcome }) => outcome === "done")).toHaveLength(1);
    expect((await balance()).cashCents).toBe(700);
    await expect(place(adjust(701), { key })).rejects.toThrow("was used for another order");
  });
});

describe("a reversal", () => {
  const buy = async (cents: number) => {
    const businessKey = `test-purchase:${newId()}`;
    await testApp.platform.db
      .transaction()
      .execute((trx) => charge(trx, { userId: user.id, cents, businessKey, at: now() }));
    return businessKey;
  };

  test("moves back what a purchase took, cash as cash and bonus as bonus, once", async () => {
    await giveMoney(testApp, user, 300);
    await giveMoney(testApp, user, 500, "bonus");
    const businessKey = await buy(600);
    expect(await balance()).toEqual({ cashCents: 0, bonusCents: 200 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => place({ kind: "reverse", details: { businessKey } })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await balance()).toEqual({ cashCents: 300, bonusCents: 500 });
  });

  test("is refused if the money has been spent", async () => {
    const key = `test:${newId()}`;
    await giveMoney(testApp, user, 300, "cash", key);
    await buy(200);
    const order = place({ kind: "reverse", details: { businessKey: key } });
    await expect(order).rejects.toEqual(refused("insufficient_funds"));
    expect((await balance()).cashCents).toBe(100);
  });

  test("is refused for a top-up, because the provider's money would not move", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 5 });
    await changeRecord(testApp, topUp, { status: "paid" });
    await confirm(testApp, user, topUp);
    const businessKey = `top-up:${topUp.intent.id}`;
    const order = place({ kind: "reverse", details: { businessKey } });
    await expect(order).rejects.toEqual(refused("conflict"));
  });

  test("is refused if there is no such txn", async () => {
    const order = place({ kind: "reverse", details: { businessKey: "nothing" } });
    await expect(order).rejects.toEqual(refused("not_found"));
  });
});

describe("a refund", () => {
  const paidTopUp = async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    await changeRecord(testApp, topUp, { status: "paid" });
    await confirm(testApp, user, topUp);
    return topUp.intent.id;
  };
  const refund = (intentId: string, cents: number): StaffOrderContent => ({
    kind: "refund",
    details: { intentId, cents },
  });

  test("takes the cash at once and waits for the provider, never more than was paid", async () => {
    const intentId = await paidTopUp();
    await place(refund(intentId, 1_500));
    await expect(place(refund(intentId, 501))).rejects.toEqual(refused("conflict"));
    await place(refund(intentId, 500));
    expect(await balance()).toEqual({ cashCents: 0, bonusCents: 0 });
    const rows = await testApp.platform.db
      .selectFrom("payment_refunds")
      .select(["cents", "reason"])
      .where("intent_id", "=", intentId)
      .orderBy("cents")
      .execute();
    expect(rows).toEqual([
      { cents: "500", reason: "Ticket 7" },
      { cents: "1500", reason: "Ticket 7" },
    ]);
    expect((await auditRows()).map(([what]) => what)).toEqual(["money refund", "money refund"]);
  });

  test("is refused if the cash has been spent, or there is no such top-up", async () => {
    const intentId = await paidTopUp();
    await place(adjust(-1));
    const order = place(refund(intentId, 2_000));
    await expect(order).rejects.toEqual(refused("insufficient_funds"));
    await expect(place(refund(newId(), 1))).rejects.toEqual(refused("not_found"));
    expect((await balance()).cashCents).toBe(1_999);
  });

  test("is made as often as there is money for, of many at once", async () => {
    const intentId = await paidTopUp();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => place(refund(intentId, 600))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect((await balance()).cashCents).toBe(200);
  });

  test("above the limit waits for a second staff member", async () => {
    const intentId = await paidTopUp();
    const { id } = await place(refund(intentId, 2_000), { limit: 1_999 });
    expect((await balance()).cashCents).toBe(2_000);
    await confirmOrder(deps(), { id, by: ben.id, now: now() });
    expect((await balance()).cashCents).toBe(0);
  });
});

describe("above the limit", () => {
  test.each([
    [1_000, "done"],
    [1_001, "waiting"],
    [-1_000, "done"],
    [-1_001, "waiting"],
  ] as const)("of 1000 cents: an adjustment of %d is %s", async (cents, outcome) => {
    await giveMoney(testApp, user, 5_000);
    expect((await place(adjust(cents), { limit: 1_000 })).outcome).toBe(outcome);
    expect((await balance()).cashCents).toBe(5_000 + (outcome === "done" ? cents : 0));
  });

  test("an order is done once another staff member confirms it, by one of many at once", async () => {
    const { id } = await place(adjust(5_000), { limit: 0 });
    expect(await balance()).toEqual({ cashCents: 0, bonusCents: 0 });
    const own = confirmOrder(deps(), { id, by: ann.id, now: now() });
    await expect(own).rejects.toThrow("Another staff member");
    const cleo = await createStaff(testApp);
    const outcomes = await Promise.allSettled(
      [ben, cleo, ben, cleo].map(({ id: by }) => confirmOrder(deps(), { id, by, now: now() })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await balance()).cashCents).toBe(5_000);
    const whats = (await auditRows()).map(([what]) => what);
    expect(whats).toEqual(["money adjust", "money confirm adjust"]);
  });

  test("a rejected order is never done", async () => {
    const { id } = await place(adjust(5_000), { limit: 0 });
    expect((await listWaitingOrders(testApp.platform.db)).map((each) => each.id)).toContain(id);
    await rejectOrder(deps(), { id, by: ben.id, reason: "No", now: now() });
    const late = confirmOrder(deps(), { id, by: ben.id, now: now() });
    await expect(late).rejects.toThrow("is rejected");
    expect(await balance()).toEqual({ cashCents: 0, bonusCents: 0 });
    expect((await listWaitingOrders(testApp.platform.db)).map((each) => each.id)).not.toContain(id);
  });

  test("an order whose money is gone by then is not done, and goes on waiting", async () => {
    await giveMoney(testApp, user, 5_000);
    const { id } = await place(adjust(-4_000), { limit: 0 });
    await place(adjust(-2_000));
    const decision = { id, by: ben.id, now: now() };
    await expect(confirmOrder(deps(), decision)).rejects.toEqual(refused("insufficient_funds"));
    await place(adjust(1_000));
    await confirmOrder(deps(), decision);
    expect((await balance()).cashCents).toBe(0);
  });
});

describe("a payment in quarantine", () => {
  const inReview = async (change: object) => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    await changeRecord(testApp, topUp, { ...change, status: "paid" });
    expect((await confirm(testApp, user, topUp)).status).toBe("review");
    const found = (await listQuarantine(testApp.platform.db)).find(
      ({ intent_id }) => intent_id === topUp.intent.id,
    );
    if (found === undefined) throw new Error("There is no case");
    return { topUp, caseId: found.id };
  };
  const statusOf = async (caseId: string) => {
    const row = await testApp.platform.db
      .selectFrom("quarantined_payments")
      .select(["status", "resolution_reason", "resolved_by"])
      .where("id", "=", caseId)
      .executeTakeFirstOrThrow();
    return [row.status, row.resolution_reason, row.resolved_by];
  };
  const resolve = (caseId: string, resolution: "credit" | "returned" | "dismiss") =>
    place({ kind: "quarantine", details: { caseId, resolution } });

  test("is credited with what the provider has, once", async () => {
    const { topUp, caseId } = await inReview({ amount_cents: 1_999 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => resolve(caseId, "credit")),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await balance()).toEqual({ cashCents: 1_999, bonusCents: 0 });
    expect(await statusOf(caseId)).toEqual(["credited", "Ticket 7", ann.id]);
    expect((await auditRows()).map(([what]) => what)).toEqual(["money quarantine"]);
    // The provider's record is still there, and is asked for again.
    await sendWebhook(testApp, topUp, "checkout.completed");
    expect((await confirm(testApp, user, topUp)).status).toBe("cancelled");
    expect(await balance()).toEqual({ cashCents: 1_999, bonusCents: 0 });
    const answer = await call(testApp, routes.billing.listTransactions, { token: user.token });
    const listed = answer.json().data as { type: string; status: string; amount: string }[];
    expect(listed.map(({ type, status, amount }) => [type, status, amount])).toEqual([
      ["adjustment", "completed", "19.99"],
      ["top_up", "cancelled", "20.00"],
    ]);
  });

  test.each([
    ["returned", "returned"],
    ["dismiss", "dismissed"],
  ] as const)("that is %s credits nothing", async (resolution, status) => {
    const { topUp, caseId } = await inReview({ currency: "USD" });
    await resolve(caseId, resolution);
    expect((await statusOf(caseId))[0]).toBe(status);
    expect(await balance()).toEqual({ cashCents: 0, bonusCents: 0 });
    expect((await confirm(testApp, user, topUp)).status).toBe("cancelled");
    await expect(resolve(caseId, resolution)).rejects.toEqual(refused("conflict"));
  });

  test("in another currency cannot be credited", async () => {
    const { caseId } = await inReview({ currency: "USD" });
    await expect(resolve(caseId, "credit")).rejects.toEqual(refused("conflict"));
    expect((await statusOf(caseId))[0]).toBe("open");
  });

  test("above the limit waits for a second staff member", async () => {
    const { caseId } = await inReview({ account: "another account" });
    const content = { kind: "quarantine", details: { caseId, resolution: "credit" } } as const;
    const { id, outcome } = await place(content, { limit: 1_999 });
    expect([outcome, await balance()]).toEqual(["waiting", { cashCents: 0, bonusCents: 0 }]);
    await confirmOrder(deps(), { id, by: ben.id, now: now() });
    expect(await balance()).toEqual({ cashCents: 2_000, bonusCents: 0 });
  });
});
