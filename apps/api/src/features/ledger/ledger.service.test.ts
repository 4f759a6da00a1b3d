import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import { createUser, type TestUser } from "#src/test-support/test-users.ts";
import { allowDebt, balanceOf, BusinessKeyTaken, charge, credit, post } from "./ledger.service.ts";

let testApp: TestApp;
let replica: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(() => requireWholeLedger(testApp));

function transaction<T>(work: (trx: Trx) => Promise<T>, app = testApp): Promise<T> {
  return app.platform.db.transaction().execute(work);
}

const give = (cents: number, to: "cash" | "bonus" = "cash", businessKey?: string) =>
  giveMoney(testApp, user, cents, to, businessKey);

function take(cents: number, businessKey = `test:${newId()}`, app = testApp) {
  const at = testApp.clock.now();
  return transaction((trx) => charge(trx, { userId: user.id, cents, businessKey, at }), app);
}

const insufficient = expect.objectContaining({ code: "insufficient_funds" });

describe("the ledger", () => {
  test("shows 0 for a user without postings", async () => {
    expect(await balanceOf(testApp.platform.db, user.id)).toEqual({ cashCents: 0, bonusCents: 0 });
    await expect(take(1)).rejects.toEqual(insufficient);
  });

  test("takes cash first, then bonus, to the cent", async () => {
    await give(500);
    await give(300, "bonus");
    await take(600);
    expect(await balanceOf(testApp.platform.db, user.id)).toEqual({
      cashCents: 0,
      bonusCents: 200,
    });
    await expect(take(201)).rejects.toEqual(insufficient);
    await take(200);
    expect(await balanceOf(testApp.platform.db, user.id)).toEqual({ cashCents: 0, bonusCents: 0 });
  });

  test("moves money once per key, and refuses the key for another movement", async () => {
    expect(await give(900, "cash", `a:${user.id}`)).toEqual({ isNew: true });
    expect(await give(900, "cash", `a:${user.id}`)).toEqual({ isNew: false });
    await expect(give(901, "cash", `a:${user.id}`)).rejects.toThrow(BusinessKeyTaken);
    await expect(give(900, "bonus", `a:${user.id}`)).rejects.toThrow(BusinessKeyTaken);
    expect(await take(900, `b:${user.id}`)).toEqual({ isNew: true });
    // Nothing is left, and nothing is needed.
    expect(await take(900, `b:${user.id}`)).toEqual({ isNew: false });
    await expect(take(800, `b:${user.id}`)).rejects.toThrow(BusinessKeyTaken);
    expect(await balanceOf(testApp.platform.db, user.id)).toEqual({ cashCents: 0, bonusCents: 0 });
  });

  test("posts 20 parallel first credits with one key, from two processes, once", async () => {
    const at = testApp.clock.now();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        transaction(
          (trx) =>
            credit(trx, {
              kind: "top_up",
              from: "sandbox_clearing",
              to: "cash",
              userId: user.id,
              cents: 2_000,
              businessKey: `top-up:${user.id}`,
              at,
            }),
          index % 2 === 0 ? testApp : replica,
        ),
      ),
    );
    expect(outcomes.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect((await balanceOf(testApp.platform.db, user.id)).cashCents).toBe(2_000);
  });

  test("lets parallel charges spend the balance and not a cent more", async () => {
    await give(1_000);
    await give(500, "bonus");
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        take(400, `test:${newId()}`, index % 2 === 0 ? testApp : replica),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(outcomes.length - refused.length).toBe(3);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(DomainError);
    expect(await balanceOf(testApp.platform.db, user.id)).toEqual({
      cashCents: 0,
      bonusCents: 300,
    });
  });

  test.each([0, -1, 0.5, Number.NaN, 2 ** 53])("refuses an amount of %d cents", async (cents) => {
    await expect(give(cents)).rejects.toThrow(RangeError);
    await expect(take(cents)).rejects.toThrow(RangeError);
  });

  test("leaves nothing of a charge that is rolled back", async () => {
    await give(700);
    const failing = transaction(async (trx) => {
      const at = testApp.clock.now();
      await charge(trx, { userId: user.id, cents: 700, businessKey: `c:${user.id}`, at });
      throw new Error("something after it");
    });
    await expect(failing).rejects.toThrow("something after it");
    expect(await take(700, `c:${user.id}`)).toEqual({ isNew: true });
  });

  test("sells nothing to an account in debt until the debt is paid", async () => {
    await give(900);
    await give(5_000, "bonus");
    await take(900);
    await transaction(async (trx) => {
      await allowDebt(trx, user.id);
      await post(trx, {
        kind: "dispute",
        businessKey: `dispute:${user.id}`,
        at: testApp.clock.now(),
        postings: [
          { kind: "cash", userId: user.id, cents: -900 },
          { kind: "stripe_clearing", cents: 900 },
        ],
      });
    });
    await expect(take(1)).rejects.toEqual(insufficient);
    await give(900);
    expect(await take(1)).toEqual({ isNew: true });
  });
});

describe("the database itself", () => {
  const txn = (postings: readonly number[]) =>
    transaction((trx) =>
      post(trx, {
        kind: "adjustment",
        businessKey: `test:${newId()}`,
        at: testApp.clock.now(),
        postings: postings.map((cents, index) =>
          index === 0 ? { kind: "cash", userId: user.id, cents } : { kind: "adjustments", cents },
        ),
      }),
    );

  test("refuses at commit a txn whose postings do not sum to 0, or with a single posting", async () => {
    await expect(txn([100, -99])).rejects.toMatchObject({ constraint: "ledger_txn_balanced" });
    await expect(txn([100])).rejects.toMatchObject({ constraint: "ledger_txn_balanced" });
    const empty = testApp.platform.db
      .insertInto("ledger_txns")
      .values({
        id: newId(),
        kind: "adjustment",
        business_key: `empty:${user.id}`,
        note: null,
        created_at: testApp.clock.now(),
      })
      .execute();
    await expect(empty).rejects.toMatchObject({ constraint: "ledger_txn_balanced" });
    expect(await balanceOf(testApp.platform.db, user.id)).toEqual({ cashCents: 0, bonusCents: 0 });
  });

  test("refuses a new posting on a committed txn", async () => {
    await give(100, "cash", `committed:${user.id}`);
    const { db } = testApp.platform;
    const { id } = await db
      .selectFrom("ledger_txns")
      .select("id")
      .where("business_key", "=", `committed:${user.id}`)
      .executeTakeFirstOrThrow();
    const account = await db
      .selectFrom("ledger_accounts")
      .select("id")
      .where("user_id", "=", user.id)
      .where("kind", "=", "bonus")
      .executeTakeFirstOrThrow();
    const added = db
      .insertInto("ledger_postings")
      .values({ txn_id: id, account_id: account.id, cents: 1 })
      .execute();
    await expect(added).rejects.toMatchObject({ constraint: "ledger_txn_balanced" });
  });

  test("refuses a user account below 0 without a dispute", async () => {
    await give(100);
    await expect(txn([-101, 101])).rejects.toMatchObject({ code: "23514" });
  });

  test.each(["ledger_accounts", "ledger_txns", "ledger_postings"])(
    "does not let the programs' role change or remove rows of %s",
    async (table) => {
      await give(100);
      const client = new pg.Client({ connectionString: testApp.runtimeUrl });
      await client.connect();
      try {
        const column = table === "ledger_postings" ? "txn_id" : "id";
        for (const statement of [
          `update ${table} set ${column} = ${column}`,
          `delete from ${table}`,
          `truncate ${table} cascade`,
        ]) {
          await expect(client.query(statement)).rejects.toMatchObject({ code: "42501" });
        }
      } finally {
        await client.end();
      }
    },
  );

  test("refuses to start the api as a role that could change postings", async () => {
    const owner = new pg.Client({ connectionString: testApp.ownerUrl });
    await owner.connect();
    const role = pg.escapeIdentifier(new URL(testApp.runtimeUrl).username);
    try {
      await owner.query(`grant update on ledger_postings to ${role}`);
      await expect(createTestApp({ sharing: testApp })).rejects.toThrow(
        /could change or remove rows of ledger_postings/,
      );
    } finally {
      await owner.query(`revoke update on ledger_postings from ${role}`);
      await owner.end();
    }
  });
});
