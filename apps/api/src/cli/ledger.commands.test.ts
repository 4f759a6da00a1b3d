import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { runCommandLine, runCommandProcess } from "#src/test-support/command-line.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createUser, type TestUser } from "#src/test-support/test-users.ts";
import { ledgerCreditCommand } from "./ledger-credit.command.ts";

let testApp: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  user = await createUser(testApp);
});

const ledger = (...args: readonly string[]) => runCommandLine(testApp, ["ledger", ...args]);

const cash = async () => (await balanceOf(testApp.platform.db, user.id)).cashCents;

describe("ledger credit", () => {
  test("adds cash with its reason, and is on the account's record", async () => {
    expect(await ledger("credit", user.email, "20.50", "--reason", "Sponsored")).toEqual({
      code: 0,
      stdout: `${user.email} was credited 20.50 EUR: the balance is 20.50 EUR\n`,
      stderr: "",
    });
    const { db } = testApp.platform;
    const txns = await db.selectFrom("ledger_txns").select(["kind", "note"]).execute();
    expect(txns).toContainEqual({ kind: "adjustment", note: "Sponsored" });
    const rows = await db
      .selectFrom("audit_log")
      .select(["endpoint", "response_status"])
      .where("chain", "=", `user:${user.id}`)
      .where("method", "=", "CLI")
      .execute();
    expect(rows).toEqual([{ endpoint: "ledger credit", response_status: 201 }]);
  });

  test("the same key credits once, also at the same time; for another amount it is refused", async () => {
    const args = ["credit", user.email, "20", "--reason", "Sponsored", "--key", user.id];
    const atOnce = () => runCommandProcess(testApp, ["ledger", ...args]);
    const outcomes = await Promise.all([atOnce(), atOnce()]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(await cash()).toBe(2_000);
    const other = await ledger("credit", user.email, "21", "--reason", "x", "--key", user.id);
    expect(other).toMatchObject({ code: 1, stdout: "" });
    expect(other["stderr"]).toContain("was used for another account or amount");
    expect(await cash()).toBe(2_000);
  });

  // Refused before the database is asked, hence without a process of their own.
  test.each([
    ...["1e3", "-1", "0", "10000.01", "１２", "1.5"].map((euros) => [
      ["--reason", "x", "--", "a@example.com", euros],
      /give 0.01 to 10000.00/,
    ]),
    [["a@example.com", "20"], /--reason/],
    [["a@example.com", "20", "--reason", " "], /--reason/],
    [["a@example.com", "20", "--reason", "x", "--key", "two words"], /--key/],
    [["a@example.com", "--reason", "x"], /one e-mail and one amount/],
    [["a@example.com", "20", "--reason", "x", "--to", "y"], /--to/],
  ] as [string[], RegExp][])("%j is wrong usage", async (args, message) => {
    const run = ledgerCreditCommand.run(args);
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toMatchObject({ exitCode: 2 });
  });

  test("wants an account that exists", async () => {
    const unknown = await ledger("credit", "unknown@example.com", "1", "--reason", "x");
    expect(unknown).toMatchObject({
      code: 1,
      stderr: "There is no confirmed account unknown@example.com\n",
    });
  });
});

test("ledger verify tells a whole ledger from a broken one by its exit code", async () => {
  await ledger("credit", user.email, "20", "--reason", "Sponsored");
  const whole = await ledger("verify");
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  expect(whole["stdout"]).toMatch(
    /^\d+ txns on \d+ accounts: every txn sums to 0 and every balance to its postings\n$/,
  );
  const owner = new pg.Client({ connectionString: testApp.ownerUrl });
  await owner.connect();
  await owner.query("update ledger_balances set cents = cents + 1 where cents = 2000");
  await owner.end();
  const broken = await ledger("verify");
  expect(broken).toMatchObject({ code: 1, stdout: "" });
  expect(broken["stderr"]).toContain("balance 20.01, but its postings sum to 20.00");
  expect(broken["stderr"]).toMatch(/\d+ breaks\n$/);
});
