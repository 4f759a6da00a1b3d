import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { programEnvironment } from "@palisade/testing/program-environment";
import { until } from "@palisade/testing/until";
import { routes } from "@palisade/contract/http/routes";
import { profileBody } from "#src/test-support/account-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  listInvoices,
  purchaseBy,
  readInvoice,
  requireWholeDocuments,
  reversePurchase,
  topUpBy,
  untilIssued,
} from "#src/test-support/test-documents.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  call,
  createUser,
  expectStatus,
  openSession,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { hold } from "#src/test-support/waiting.ts";
import { issueDocuments } from "./document-issuer.ts";
import { takeIssuing } from "./issuing.repository.ts";
import { verifyDocuments } from "./documents-check.service.ts";

let testApp: TestApp;
let replica: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});

let user: TestUser;
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(async () => {
  await untilIssued(testApp);
  await requireWholeLedger(testApp);
  await requireWholeDocuments(testApp);
});

async function waitingFor({ id }: TestUser): Promise<number> {
  const rows = await testApp.platform.db
    .selectFrom("documents_due")
    .select("txn_id")
    .where("user_id", "=", id)
    .execute();
  return rows.length;
}

const documents = () =>
  testApp.platform.db
    .selectFrom("documents")
    .selectAll()
    .where("user_id", "=", user.id)
    .orderBy("issued_at")
    .orderBy("kind")
    .orderBy("number")
    .execute();

describe("a document", () => {
  test("is issued for each payment and sale by itself, and for nothing else", async () => {
    await giveMoney(testApp, user, 500);
    await giveMoney(testApp, user, 500, "bonus");
    await topUpBy(testApp, user, 2_000, "paypal_clearing");
    await purchaseBy(testApp, user, 2_700);
    await until(async () => (await documents()).length === 2);
    expect(await listInvoices(testApp, user)).toMatchObject({
      total: 2,
      data: [
        { kind: "invoice", total: "27.00", tax: "0.00", payment_method: "balance" },
        { kind: "receipt", total: "20.00", tax: "0.00", payment_method: "paypal" },
      ],
    });
  });

  test("for a purchase that was taken back names the invoice it corrects", async () => {
    await topUpBy(testApp, user, 1_000);
    const purchase = await purchaseBy(testApp, user, 900);
    await untilIssued(testApp);
    testApp.clock.advance(1_000);
    await reversePurchase(testApp, user, purchase, { netCents: 400 });
    await untilIssued(testApp);
    const { data } = await listInvoices(testApp, user);
    expect(data.map(({ kind, total }) => `${kind} ${total}`)).toEqual([
      "credit_note -4.00",
      "invoice 9.00",
      "receipt 10.00",
    ]);
    const note = await readInvoice(testApp, user, data[0]?.id ?? "");
    expect(note.corrects).toEqual({ id: data[1]?.id, number: data[1]?.number });
  });

  test("keeps the buyer of the moment of payment and the seller of the moment of issue", async () => {
    const { token } = user;
    const save = (body: object) =>
      expectStatus(call(testApp, routes.account.updateProfile, { token, body }), 200);
    await save({ ...profileBody, company_name: "Before Ltd" });
    const issuing = await hold(testApp, takeIssuing);
    await topUpBy(testApp, user, 1_000);
    await save({ ...profileBody, company_name: "After Ltd", city: "Hamburg" });
    await issuing.release();
    await untilIssued(testApp);
    const [listed] = (await listInvoices(testApp, user)).data;
    const before = await readInvoice(testApp, user, listed?.id ?? "");
    expect(before.buyer).toMatchObject({ company_name: "Before Ltd", name: "Anna-Maria О'Коннор" });
    expect(before.buyer.address).toEqual(["Main Street 1", "10115 Berlin", "Germany"]);
    const moved = await createTestApp({
      sharing: testApp,
      config: { seller: { ...testApp.platform.config.seller, name: "New Operator" } },
    });
    try {
      await purchaseBy(testApp, user, 300);
      await untilIssued(testApp);
      const [newest] = (await listInvoices(testApp, user)).data;
      expect((await readInvoice(testApp, user, newest?.id ?? "")).seller.name).toBe("New Operator");
      expect((await readInvoice(testApp, user, listed?.id ?? "")).seller.name).toBe("Operator");
    } finally {
      await moved.close();
    }
  });

  test("is not changed or removed by the programs' role", async () => {
    const client = new pg.Client({ connectionString: testApp.runtimeUrl });
    await client.connect();
    try {
      for (const table of ["documents", "sellers"]) {
        for (const statement of [`update ${table} set id = id`, `delete from ${table}`]) {
          await expect(client.query(statement)).rejects.toMatchObject({ code: "42501" });
        }
      }
    } finally {
      await client.end();
    }
  });
});

describe("numbers", () => {
  test("have neither gaps nor repetitions while two processes issue and others pay", async () => {
    const payers = await Promise.all(Array.from({ length: 4 }, () => createUser(testApp)));
    const paying = payers.map(async (payer) => {
      for (let count = 0; count < 12; count += 1) {
        await topUpBy(testApp, payer, 1_000);
        await purchaseBy(replica, payer, 700);
      }
    });
    const issuing = [testApp, replica, testApp, replica].map(async ({ platform }) => {
      for (let count = 0; count < 12; count += 1) await issueDocuments(platform);
    });
    await Promise.all([...paying, ...issuing]);
    await untilIssued(testApp);
    const { rows } = await sql<{ kind: string; numbers: number[] }>`
      select kind, array_agg(number order by number) as numbers from documents group by kind
    `.execute(testApp.platform.db);
    for (const { kind, numbers } of rows) {
      expect(numbers, kind).toEqual(Array.from(numbers, (_, index) => index + 1));
    }
    const mine = await Promise.all(payers.map((payer) => listInvoices(testApp, payer)));
    expect(mine.map(({ total }) => total)).toEqual([24, 24, 24, 24]);
  });

  test("leave no gap when the one who gives them is cut off in the middle", async () => {
    const rounds = 6;
    for (let round = 0; round < rounds; round += 1) {
      await topUpBy(testApp, user, 100);
      await topUpBy(testApp, user, 100);
      let given = 0;
      const failing = issueDocuments({
        ...testApp.platform,
        failpoint: () => {
          given += 1;
          if (given > round % 2) throw new Error("cut off");
        },
      });
      await failing.catch((error: unknown) => expect(String(error)).toContain("cut off"));
    }
    await untilIssued(testApp);
    expect(await documents()).toHaveLength(2 * rounds);
  });

  test("leave no gap when PostgreSQL loses the one who gives them before the commit", async () => {
    await topUpBy(testApp, user, 100);
    const { db } = testApp.platform;
    const killed = db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('documents', 0))`.execute(trx);
      await sql`update document_series set last_number = last_number + 1`.execute(trx);
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
    });
    await expect(killed).rejects.toThrow(/terminat/);
    await untilIssued(testApp);
    expect(await documents()).toHaveLength(1);
  });

  test("leave no gap when the api is killed (kill -9) while it gives them", async () => {
    const issuing = await hold(testApp, takeIssuing);
    for (let count = 0; count < 3; count += 1) await topUpBy(testApp, user, 100 + count);
    expect(await waitingFor(user)).toBe(3);
    await issuing.release();
    const home = await mkdtemp(path.join(tmpdir(), "palisade-issuing-"));
    const child = spawn(process.execPath, [path.resolve(import.meta.dirname, "../../main.ts")], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: {
        ...programEnvironment,
        PALISADE_HOME: home,
        PALISADE_HTTP_PORT: "0",
        PALISADE_API_METRICS_PORT: "0",
        PALISADE_LOG_LEVEL: "silent",
        PALISADE_OPERATOR_NAME: "Operator",
        PALISADE_OPERATOR_ADDRESS: "Street 1, Town",
        PALISADE_OPERATOR_EMAIL: "operator@example.com",
        PALISADE_FAILPOINTS: "document-numbered",
        DATABASE_URL: testApp.runtimeUrl,
      },
    });
    const exited = once(child, "exit");
    try {
      // It begins with those that wait. If a job of this process was faster, it gets another one.
      await Promise.race([once(child, "message"), exited]);
      await until(async () => {
        if (child.signalCode !== null) return true;
        await topUpBy(testApp, user, 100);
        return false;
      });
      expect((await exited)[1]).toBe("SIGKILL");
    } finally {
      child.kill("SIGKILL");
      await exited;
      await rm(home, { recursive: true, force: true });
    }
  });

  test.each([
    ["2027-12-31T23:59:59.999Z", 2027, 1],
    ["2028-01-01T00:00:00.000Z", 2028, 1],
    ["2028-02-29T12:00:00.000Z", 2028, 2],
    // Already the next year in the east, still the old one in the west.
    ["2028-12-31T22:30:00.000Z", 2028, 3],
    ["2029-01-01T04:30:00.000Z", 2029, 1],
  ])("begin anew with the year in UTC: at %s in %d", async (at, year, number) => {
    testApp.clock.advance(new Date(at).getTime() - testApp.clock.now().getTime());
    await topUpBy(testApp, user, 100);
    await untilIssued(testApp);
    const [document] = await documents();
    expect(document).toMatchObject({ year });
    // Sessions have ended in the meantime.
    const token = await openSession(testApp, user);
    const { data, years } = await listInvoices(testApp, { token }, { year: String(year) });
    expect([data.length, years]).toEqual([1, [year]]);
    expect(data[0]?.number).toBe(`RCT-${year}-00000${number}`);
  });
});

describe("the check of documents", () => {
  test("finds what was written around the rules", async () => {
    await topUpBy(testApp, user, 1_000);
    await topUpBy(testApp, user, 1_000);
    await untilIssued(testApp);
    const owner = new pg.Client({ connectionString: testApp.ownerUrl });
    await owner.connect();
    const found = () => verifyDocuments(testApp.platform.db, testApp.clock.now());
    const { rows } = await owner.query<{ id: string }>(
      "select id from documents where user_id = $1 order by number desc",
      [user.id],
    );
    try {
      await owner.query("begin");
      await owner.query("create table kept as select * from documents where id = $1", [
        rows[0]?.id,
      ]);
      // The last column, which the database computes.
      await owner.query("alter table kept drop column shown_number");
      await owner.query("delete from documents where id = $1", [rows[0]?.id]);
      await owner.query("commit");
      expect(await found()).toEqual([
        expect.stringMatching(/^txn top-up:.*: has no document$/),
        expect.stringMatching(/^receipt of \d+: the last number is \d+, but there are \d+$/),
      ]);
      await owner.query("insert into documents select * from kept");
      await owner.query(
        "update documents set net_cents = net_cents + 1, total_cents = total_cents + 1 where id = $1",
        [rows[0]?.id],
      );
      expect(await found()).toEqual([expect.stringContaining("its document says 10.01")]);
      await owner.query("update documents set net_cents = 1000, total_cents = 1000 where id = $1", [
        rows[0]?.id,
      ]);
      await owner.query(
        "update documents set issued_at = issued_at - interval '1 millisecond' where id = $1",
        [rows[0]?.id],
      );
      expect(await found()).toEqual([expect.stringContaining("issued before the one before it")]);
      await owner.query(
        "update documents set issued_at = issued_at + interval '1 millisecond' where id = $1",
        [rows[0]?.id],
      );
      expect(await found()).toEqual([]);
    } finally {
      await owner.query("drop table if exists kept");
      await owner.end();
    }
  });

  test("finds a txn that waits for too long", async () => {
    const issuing = await hold(testApp, takeIssuing);
    await topUpBy(testApp, user, 1_000);
    expect(await verifyDocuments(testApp.platform.db, testApp.clock.now())).toEqual([]);
    const later = new Date(testApp.clock.now().getTime() + 3_600_000);
    expect(await verifyDocuments(testApp.platform.db, later)).toEqual([
      expect.stringContaining("waits too long for its document"),
    ]);
    await issuing.release();
  });
});
