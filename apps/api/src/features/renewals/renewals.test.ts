import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { allowDebt, post } from "#src/features/ledger/ledger.service.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  attack,
  buyShield,
  centsOf,
  createStubCards,
  hourMs,
  jobDeps,
  renew,
  renewalTxns,
  runRenewals,
  setToggles,
  statusOf,
  stopSchedules,
  subscriptionOf,
} from "#src/test-support/test-renewals.ts";
import { enrolEdge } from "#src/test-support/test-shields.ts";
import { createStaff, mailsTo, openSession, type TestUser } from "#src/test-support/test-users.ts";

const stub = createStubCards(() => testApp);
let testApp: TestApp;
let replica: TestApp;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp({ cards: stub.cards });
  replica = await createTestApp({ sharing: testApp, cards: stub.cards });
  await stopSchedules(testApp);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(() => buy("2031-01-31T15:30:00Z"));
afterEach(() => requireWholeLedger(testApp));

async function buy(at: string): Promise<void> {
  testApp.clock.set(new Date(at));
  const bought = await buyShield(testApp);
  owner = bought.owner;
  shieldId = bought.shield.id;
}

const run = () => runRenewals(jobDeps(testApp, stub.cards));
const subscription = () => subscriptionOf(testApp, shieldId);
const status = () => statusOf(testApp, shieldId);
const paid = async () => (await renewalTxns(testApp, shieldId)).length;

async function at(time: string | Date): Promise<void> {
  testApp.clock.set(new Date(time));
  await run();
}

/** Hours from the end of the first period. */
const fromEnd = (hours: number) =>
  at(new Date(Date.parse("2031-02-28T15:30:00Z") + hours * hourMs));

async function subjects(count: number): Promise<string[]> {
  return until(async () => {
    const mails = await mailsTo(testApp, owner.email);
    const found = mails
      .map(({ subject }) => subject)
      .filter((subject) => /renew|paid|Last day|expired|cover/.test(subject));
    return found.length >= count ? found : undefined;
  });
}

describe("a renewal", () => {
  test.each([
    ["2031-01-29T08:00:00Z", ["2031-02-28", "2031-03-29", "2031-04-29"]],
    ["2031-01-30T08:00:00Z", ["2031-02-28", "2031-03-30", "2031-04-30"]],
    ["2031-01-31T08:00:00Z", ["2031-02-28", "2031-03-31", "2031-04-30"]],
    ["2032-01-29T08:00:00Z", ["2032-02-29", "2032-03-29", "2032-04-29"]],
    ["2032-01-31T08:00:00Z", ["2032-02-29", "2032-03-31", "2032-04-30"]],
    ["2031-11-30T23:59:59Z", ["2031-12-30", "2032-01-30", "2032-02-29"]],
  ])("bought at %s, periods end without drifting on %j", async (bought, ends) => {
    await buy(bought);
    await giveMoney(testApp, owner, 2_700);
    const seen: string[] = [];
    for (const _ of ends) {
      const { period_ends_at } = (await subscription()) ?? {};
      seen.push(period_ends_at?.toISOString() ?? "");
      await at(new Date((period_ends_at?.getTime() ?? 0) - 24 * hourMs));
    }
    expect(seen).toEqual(ends.map((day) => `${day}T${bought.slice(11, 19)}.000Z`));
    expect([await paid(), await centsOf(testApp, owner)]).toEqual([3, 0]);
  });

  test("is charged from 24 hours before the end, not earlier, and once", async () => {
    await giveMoney(testApp, owner, 5_000);
    await fromEnd(-24.01);
    expect(await paid()).toBe(0);
    await fromEnd(-24);
    await run();
    await fromEnd(0);
    expect([await paid(), await centsOf(testApp, owner)]).toEqual([1, 4_100]);
    expect(await subscription()).toMatchObject({
      period: 2,
      period_starts_at: new Date("2031-02-28T15:30:00Z"),
      period_ends_at: new Date("2031-03-31T15:30:00Z"),
      failed_renewals: 0,
      told: null,
    });
  });

  test("by eight runs at once in two processes, each period is paid once", async () => {
    await giveMoney(testApp, owner, 5_000);
    testApp.clock.set(new Date("2031-02-28T15:00:00Z"));
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        runRenewals(jobDeps(index % 2 === 0 ? testApp : replica, stub.cards)),
      ),
    );
    expect([await paid(), await centsOf(testApp, owner)]).toEqual([1, 4_100]);
  });

  test("and renewing by hand at the same time, the period is paid once", async () => {
    await giveMoney(testApp, owner, 5_000);
    testApp.clock.set(new Date("2031-02-28T15:00:00Z"));
    await Promise.all([run(), renew(replica, owner, shieldId), renew(testApp, owner, shieldId)]);
    expect([await paid(), await centsOf(testApp, owner)]).toEqual([1, 4_100]);
  });

  test("tries a saved card first; the balance stays as it is", async () => {
    await giveMoney(testApp, owner, 5_000);
    stub.outcomes.set(owner.id, "paid");
    await fromEnd(-24);
    expect([await paid(), await centsOf(testApp, owner)]).toEqual([1, 5_000]);
    expect(stub.charges.filter(({ userId }) => userId === owner.id)).toMatchObject([
      { cents: 900 },
    ]);
  });

  test.each(["declined", "needs-authentication", "none", "unknown"] as const)(
    "takes the balance where the card answers %s",
    async (outcome) => {
      await giveMoney(testApp, owner, 900);
      stub.outcomes.set(owner.id, outcome);
      await fromEnd(-24);
      expect([await paid(), await centsOf(testApp, owner)]).toEqual([1, 0]);
    },
  );

  test("charges no card while the account owes the money of a dispute", async () => {
    stub.outcomes.set(owner.id, "paid");
    const at = testApp.clock.now();
    await testApp.platform.db.transaction().execute(async (trx) => {
      await allowDebt(trx, owner.id);
      await post(trx, {
        kind: "dispute",
        businessKey: `dispute:stripe:${owner.id}`,
        at,
        postings: [
          { kind: "cash", userId: owner.id, cents: -500 },
          { kind: "stripe_clearing", cents: 500 },
        ],
      });
    });
    await fromEnd(-24);
    const answer = await renew(testApp, owner, shieldId);
    expect([answer.statusCode, answer.json().message]).toEqual([
      402,
      "Your balance is below zero after a disputed payment. Top it up first",
    ]);
    expect(stub.charges.filter(({ userId }) => userId === owner.id)).toEqual([]);
    expect(await paid()).toBe(0);
  });

  test("leaves the balance alone where the owner wants that; the card pays", async () => {
    await giveMoney(testApp, owner, 5_000);
    await setToggles(testApp, owner, shieldId, { include_balance: false });
    await fromEnd(-24);
    expect([await paid(), await centsOf(testApp, owner)]).toEqual([0, 5_000]);
    stub.outcomes.set(owner.id, "paid");
    await fromEnd(-12);
    expect([await paid(), await centsOf(testApp, owner)]).toEqual([1, 5_000]);
  });

  test.each(["renewal-begun", "renewal-card-charged", "renewal-charged"])(
    "of a process that dies at %s is done by the next one: nothing is charged twice",
    async (step) => {
      stub.outcomes.set(owner.id, "paid");
      testApp.clock.set(new Date("2031-02-28T15:00:00Z"));
      const dies = jobDeps(testApp, stub.cards, (name) => {
        if (name === step) throw new Error(`died at ${name}`);
      });
      await runRenewals(dies);
      testApp.clock.advance(6 * 60_000);
      await run();
      await run();
      expect(await paid()).toBe(1);
      expect(await centsOf(testApp, owner)).toBe(0);
      expect(stub.charges.filter(({ userId }) => userId === owner.id)).toHaveLength(1);
      expect((await subscription())?.period).toBe(2);
    },
  );

  test("is not made for a shield that is blocked or deleted", async () => {
    await giveMoney(testApp, owner, 5_000);
    for (const value of ["blocked", "deleted"] as const) {
      await testApp.platform.db
        .updateTable("shields")
        .set({ status: value, deleted_at: value === "deleted" ? testApp.clock.now() : null })
        .where("id", "=", shieldId)
        .execute();
      await fromEnd(-1);
      await fromEnd(100);
      expect([value, await paid(), await status()]).toEqual([value, 0, value]);
      testApp.clock.set(new Date("2031-02-20T15:30:00Z"));
    }
  });
});

describe("without money", () => {
  test("the shield stays active for 72 hours, with one mail for each step, then it has expired", async () => {
    for (const hours of [-24, -12, 0, 12, 24, 48, 71, 71.9]) {
      await fromEnd(hours);
      await run();
      expect([hours, await status()]).toEqual([hours, "active"]);
    }
    await fromEnd(72);
    expect([await status(), await paid()]).toEqual(["expired", 0]);
    expect(await subjects(4)).toEqual([
      "My server could not be renewed",
      "The paid period of My server is over",
      "Last day: My server stops on 3 March 2031 at 15:30 UTC",
      "My server has expired",
    ]);
    await fromEnd(500);
    expect(await status()).toBe("expired");
  });

  test("money that comes within the grace pays the period from its start", async () => {
    await fromEnd(0);
    await giveMoney(testApp, owner, 900);
    await fromEnd(12);
    expect([await paid(), await status()]).toEqual([1, "active"]);
    expect((await subscription())?.period_ends_at).toEqual(new Date("2031-03-31T15:30:00Z"));
  });

  test("an attack defers the end of the protection to its own end", async () => {
    const end = await attack(testApp, shieldId);
    await fromEnd(72);
    await fromEnd(90);
    expect(await status()).toBe("active");
    await end();
    await fromEnd(91);
    expect(await status()).toBe("expired");
  });

  test("with automatic renewal off nothing is tried, and the owner is told what comes", async () => {
    await giveMoney(testApp, owner, 5_000);
    stub.outcomes.set(owner.id, "paid");
    await setToggles(testApp, owner, shieldId, { automatic_renewal: false });
    for (const hours of [-24, 0, 48, 72]) await fromEnd(hours);
    expect([await paid(), await status(), await centsOf(testApp, owner)]).toEqual([
      0,
      "expired",
      5_000,
    ]);
    expect((await subjects(4))[0]).toBe("The paid period of My server ends soon");
  });

  test("after an outage of the job past the grace, the balance is tried before the end", async () => {
    await giveMoney(testApp, owner, 900);
    await fromEnd(200);
    expect([await paid(), await status()]).toEqual([1, "active"]);
  });
});

describe("renewing by hand", () => {
  test("is refused before it is due, without money, and while the shield is blocked", async () => {
    await giveMoney(testApp, owner, 899);
    testApp.clock.set(new Date("2031-02-27T15:29:59Z"));
    const early = await renew(testApp, owner, shieldId);
    expect([early.statusCode, early.json().code]).toEqual([409, "renewal_not_due"]);
    testApp.clock.advance(1_000);
    const poor = await renew(testApp, owner, shieldId);
    expect([poor.statusCode, poor.json().code]).toEqual([402, "insufficient_funds"]);
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "blocked" })
      .where("id", "=", shieldId)
      .execute();
    const blocked = await renew(testApp, owner, shieldId);
    expect([blocked.statusCode, blocked.json().message]).toEqual([
      409,
      "This Game Shield is blocked. Contact support",
    ]);
    expect(await paid()).toBe(0);
  });

  test("brings an expired shield back with a period that begins now; twice at once is once", async () => {
    for (const hours of [0, 72]) await fromEnd(hours);
    expect(await status()).toBe("expired");
    await giveMoney(testApp, owner, 2_000);
    testApp.clock.set(new Date("2031-03-31T09:00:00Z"));
    // The owner was not there for a month.
    owner = { ...owner, token: await openSession(testApp, owner) };
    const answers = await Promise.all([
      renew(testApp, owner, shieldId),
      renew(replica, owner, shieldId),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
    const done = answers.find(({ statusCode }) => statusCode === 200);
    expect(done?.json()).toMatchObject({
      expires_at: "2031-04-30T09:00:00.000Z",
      message: "Game Shield renewed",
    });
    expect(done?.json().revision).toBeGreaterThan(1);
    expect([await status(), await paid(), await centsOf(testApp, owner)]).toEqual([
      "active",
      1,
      1_100,
    ]);
    await giveMoney(testApp, owner, 5_000);
    await at("2031-04-29T09:00:00Z");
    expect(await subscription()).toMatchObject({
      period: 2,
      period_ends_at: new Date("2031-05-31T09:00:00Z"),
    });
  });

  test("charges the saved card where the balance does not cover it", async () => {
    stub.outcomes.set(owner.id, "paid");
    testApp.clock.set(new Date("2031-02-28T10:00:00Z"));
    expect((await renew(testApp, owner, shieldId)).statusCode).toBe(200);
    expect([await paid(), await centsOf(testApp, owner)]).toEqual([1, 0]);
  });

  test("is the owner's alone, and leaves a row in their audit log", async () => {
    await giveMoney(testApp, owner, 900);
    testApp.clock.set(new Date("2031-02-28T10:00:00Z"));
    await renew(testApp, owner, shieldId);
    const rows = await testApp.platform.db
      .selectFrom("audit_log")
      .select(["endpoint", "response_status"])
      .where("chain", "=", `user:${owner.id}`)
      .where("endpoint", "like", "%/renew")
      .execute();
    expect(rows).toEqual([{ endpoint: "/api/v1/servers/:id/renew", response_status: 200 }]);
  });
});
