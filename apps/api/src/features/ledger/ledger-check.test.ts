import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createUser } from "#src/test-support/test-users.ts";
import { charge, credit } from "./ledger.service.ts";
import { verifyLedger } from "./ledger-check.service.ts";

let testApp: TestApp;
let userId: string;
beforeEach(async () => {
  testApp = await createTestApp();
  ({ id: userId } = await createUser(testApp));
  const at = testApp.clock.now();
  await testApp.platform.db.transaction().execute(async (trx) => {
    await credit(trx, {
      kind: "adjustment",
      from: "adjustments",
      to: "cash",
      userId,
      cents: 2_000,
      businessKey: "gift",
      at,
    });
    await charge(trx, { userId, cents: 900, businessKey: "purchase", at });
  });
});
afterEach(() => testApp?.close());

/** Runs statements as the owner role, which can go around every constraint. */
async function asOwner(...statements: readonly string[]): Promise<void> {
  const owner = new pg.Client({ connectionString: testApp.ownerUrl });
  await owner.connect();
  try {
    for (const statement of statements) await owner.query(statement);
  } finally {
    await owner.end();
  }
}

const purchase = "(select id from ledger_txns where business_key = 'purchase')";
const cash = "(select id from ledger_accounts where kind = 'cash')";

describe("ledger verify", () => {
  test("finds no break in an untouched ledger", async () => {
    // Six accounts of ours, two of the user.
    expect(await verifyLedger(testApp.platform.db)).toEqual({ txns: 2, accounts: 9, breaks: [] });
  });

  test.each([
    [
      "a posting changed",
      `update ledger_postings set cents = -800 where txn_id = ${purchase} and account_id = ${cash}`,
      "txn purchase: its postings sum to 1.00",
    ],
    [
      "a balance that a changed posting no longer fits",
      `update ledger_postings set cents = -800 where txn_id = ${purchase} and account_id = ${cash}`,
      "cash of USER: balance 11.00, but its postings sum to 12.00",
    ],
    [
      "postings removed",
      `delete from ledger_postings where txn_id = ${purchase}`,
      "txn purchase: 0 postings",
    ],
    [
      "a balance changed",
      `update ledger_balances set cents = 9900 where account_id = ${cash}`,
      "cash of USER: balance 99.00, but its postings sum to 11.00",
    ],
    [
      "a balance removed",
      `delete from ledger_balances where account_id = ${cash}`,
      "cash of USER: its balance is missing",
    ],
    [
      "an account overdrawn, although the balance says otherwise",
      `update ledger_postings set cents = cents * 3 where txn_id = ${purchase}`,
      "cash of USER: -7.00 without a dispute",
    ],
    [
      "a key posted twice",
      `alter table ledger_txns drop constraint ledger_txns_business_key_key;
       alter table ledger_txns disable trigger user;
       insert into ledger_txns select '${newId()}', kind, business_key, note, created_at
       from ledger_txns where business_key = 'purchase'`,
      "txn purchase: posted 2 times",
    ],
  ])("shows %s", async (_, statement, expected) => {
    await asOwner(statement);
    const { breaks } = await verifyLedger(testApp.platform.db);
    expect(breaks).toContain(expected.replace("USER", userId));
  });

  test("accepts an overdrawn account in dispute", async () => {
    await asOwner(
      `update ledger_balances set debt_allowed = true where account_id = ${cash}`,
      `update ledger_postings set cents = cents * 3 where txn_id = ${purchase}`,
      `update ledger_balances set cents = -700 where account_id = ${cash}`,
    );
    expect((await verifyLedger(testApp.platform.db)).breaks).toEqual([]);
  });
});
