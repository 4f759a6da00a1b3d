import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "kysely";
import { charge, reverse } from "#src/features/ledger/ledger.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { profileBody } from "#src/test-support/account-samples.ts";
import { createTestApp, testConfig, type TestApp } from "#src/test-support/test-app.ts";
import { reversePurchase, topUpBy, untilIssued } from "#src/test-support/test-documents.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import { createShield, enrolEdge, planIdOf } from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { exportLedger, revenueByMonth, type ExportFormat } from "./ledger-export.service.ts";

/** A ledger with VAT, bonus, support plans, an upgrade, a refund, a dispute and credit notes. */

const seller = { ...testConfig("").seller, country: "DE", vatId: "DE123456789", chargesVat: true };

let testApp: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp({ config: { seller } });
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  testApp.clock.set(new Date("2031-01-31T12:00:00Z"));
  user = await createUser(testApp);
  const body = { ...profileBody, country: "AT", zip_code: "1010", vat_id: null };
  await expectStatus(call(testApp, routes.account.updateProfile, { token: user.token, body }), 200);
  await topUpBy(testApp, user, 20_000);
  await topUpBy(testApp, user, 5_000, "paypal_clearing");
  await giveMoney(testApp, user, 300, "bonus");
  const shield = await createShield(testApp, user, {
    pricing_plan_id: await planIdOf(testApp, "plus"),
  });
  testApp.clock.set(new Date("2031-02-10T00:00:00Z"));
  const support = await testApp.platform.db
    .selectFrom("support_plans")
    .select("id")
    .where("slug", "=", "priority")
    .executeTakeFirstOrThrow();
  await pay(`support:${user.id}:${newId()}`, 1_900, support.id, "2031-02-10", "2031-03-10");
  const upgrade = `upgrade:${shield.id}:${newId()}`;
  await pay(upgrade, 1_234, await planIdOf(testApp, "pro"), "2031-02-10", "2031-02-28");
  const again = `support:${user.id}:${newId()}`;
  await pay(again, 9_900, support.id, "2031-02-10", "2031-03-10");
  testApp.clock.set(new Date("2031-02-20T00:00:00Z"));
  await testApp.platform.db
    .transaction()
    .execute((trx) =>
      reverse(trx, { businessKey: again, note: "=HYPERLINK(1)", at: testApp.clock.now() }),
    );
  await reversePurchase(testApp, user, upgrade, { netCents: 100, taxCents: 20 });
  await untilIssued(testApp);
});
afterAll(async () => {
  await requireWholeLedger(testApp);
  await testApp?.close();
});

const pay = (businessKey: string, cents: number, planId: string, from: string, to: string) =>
  testApp.platform.db.transaction().execute((trx) =>
    charge(trx, {
      userId: user.id,
      cents,
      businessKey,
      at: testApp.clock.now(),
      period: {
        planId,
        startsAt: new Date(`${from}T00:00:00Z`),
        endsAt: new Date(`${to}T00:00:00Z`),
      },
    }),
  );

async function exported(format: ExportFormat): Promise<string[]> {
  const lines: string[] = [];
  const period = { from: new Date("2031-01-01T00:00:00Z"), to: new Date("2031-04-01T00:00:00Z") };
  const order = { ...period, format, now: testApp.clock.now() };
  for await (const line of exportLedger(testApp.platform.db, order)) lines.push(line);
  return lines;
}

/** Cents of each kind of account, by the ledger itself. */
async function ledgerSums(): Promise<Map<string, number>> {
  const { rows } = await sql<{ kind: string; cents: string }>`
    select a.kind, sum(p.cents) as cents
    from ledger_postings p join ledger_accounts a on a.id = p.account_id
    group by a.kind having sum(p.cents) <> 0
  `.execute(testApp.platform.db);
  return new Map(rows.map(({ kind, cents }) => [kind, Number(cents)]));
}

function addTo(sums: Map<string, number>, name: string, cents: number): void {
  sums.set(name, (sums.get(name) ?? 0) + cents);
}

const withoutZeros = (sums: ReadonlyMap<string, number>) =>
  Object.fromEntries([...sums].filter(([, cents]) => cents !== 0));

describe("the export of a mixed ledger", () => {
  test("as CSV has every posting: each txn sums to 0, each account to what the ledger has", async () => {
    const [head, ...lines] = await exported("csv");
    expect(head).toBe('"date","txn","business_key","kind","account","user","amount","note"\r\n');
    const [accounts, txns] = [new Map<string, number>(), new Map<string, number>()];
    for (const line of lines) {
      const [, txn = "", , , account = "", , amount = ""] = line
        .trimEnd()
        .slice(1, -1)
        .split('","');
      const cents = Math.round(Number(amount) * 100);
      addTo(accounts, account, cents);
      addTo(txns, txn, cents);
    }
    expect(withoutZeros(accounts)).toEqual(Object.fromEntries(await ledgerSums()));
    expect(new Set(txns.values())).toEqual(new Set([0]));
    expect(accounts.get("vat_payable")).toBeGreaterThan(0);
    const { count } = await testApp.platform.db
      .selectFrom("ledger_postings")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .executeTakeFirstOrThrow();
    expect(lines).toHaveLength(Number(count));
    // A note that a spreadsheet would run as a formula.
    expect(lines.join("")).toContain(`"'=HYPERLINK(1)"`);
  });

  test("as DATEV has the same sums of each account, VAT and net revenue apart", async () => {
    const [head, columns, ...lines] = await exported("datev");
    expect(head).toMatch(
      /^"EXTF";700;21;"Buchungsstapel";13;\d{17};.*;20310101;4;20310101;20310331;/,
    );
    expect(columns?.split(";")).toHaveLength(8);
    const numbers = new Map<string, number>();
    for (const line of lines) {
      const [amount = "", side, currency, account = "", contra = "", day, , text] = line
        .trimEnd()
        .split(";");
      expect([side, currency, day?.length]).toEqual(['"S"', '"EUR"', 4]);
      expect(text?.length).toBeLessThanOrEqual(62);
      const cents = Math.round(Number(amount.replace(",", ".")) * 100);
      expect(cents).toBeGreaterThan(0);
      addTo(numbers, account, -cents);
      addTo(numbers, contra, cents);
    }
    const known = {
      cash: "1710",
      bonus: "1711",
      stripe_clearing: "1361",
      paypal_clearing: "1362",
      revenue: "8200",
      adjustments: "2709",
      vat_payable: "1776",
    };
    const sums = await ledgerSums();
    const expected = [...sums].map(([kind, cents]) => [known[kind as keyof typeof known], cents]);
    expect(withoutZeros(numbers)).toEqual(Object.fromEntries(expected));
  });

  test("for a period has the txns of its days alone", async () => {
    const lines: string[] = [];
    const period = { from: new Date("2031-02-20T00:00:00Z"), to: new Date("2031-02-21T00:00:00Z") };
    const order = { ...period, format: "csv" as const, now: testApp.clock.now() };
    for await (const line of exportLedger(testApp.platform.db, order)) lines.push(line);
    expect(lines.slice(1).every((line) => line.startsWith('"2031-02-20'))).toBe(true);
    // A reversal on cash, revenue and VAT, and a credit note.
    expect(lines).toHaveLength(1 + 3 + 3);
  });
});

describe("revenue by month", () => {
  test("is net, sums to the ledger's revenue, and follows the time that was paid for", async () => {
    const months = await revenueByMonth(testApp.platform.db, testApp.clock.now());
    const sum = [...months.values()].reduce((total, cents) => total + cents, 0);
    // Not yet: the two txns of this very moment.
    testApp.clock.advance(1_000);
    const all = await revenueByMonth(testApp.platform.db, testApp.clock.now());
    const total = [...all.values()].reduce((so, cents) => so + cents, 0);
    expect(total).toBe((await ledgerSums()).get("revenue"));
    expect(sum).toBe(total + 9_900 + 100);
    // 900 from 31 January 12:00 for a month of 28 days, 1,900 for 19 of 28 days, the upgrade without
    // what was given back; what was reversed is earned in no month.
    const [january, february] = [Math.floor(900 / 56), Math.floor((1_900 * 19) / 28)];
    expect(Object.fromEntries(all)).toEqual({
      "2031-01": january,
      "2031-02": 900 - january + february + 1_234 - 100,
      "2031-03": 1_900 - february,
    });
  });
});
