import { routes } from "@palisade/contract/http/routes";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { profileBody } from "#src/test-support/account-samples.ts";
import { pdfPages } from "@palisade/testing/pdf-text";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  listInvoices,
  purchaseBy,
  readInvoice,
  topUpBy,
  untilIssued,
} from "#src/test-support/test-documents.ts";
import { beginTopUp, changeRecord, confirm } from "#src/test-support/test-payments.ts";
import { createShield, enrolEdge, planIdOf } from "#src/test-support/test-shields.ts";
import {
  call,
  createApiKey,
  createStaff,
  createUser,
  expectStatus,
  openSession,
  type TestUser,
} from "#src/test-support/test-users.ts";

const {
  listInvoices: list,
  getInvoice,
  getInvoicePdf,
  exportInvoices,
  archiveInvoices,
} = routes.invoices;

let testApp: TestApp;
let user: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  user = await createUser(testApp);
  stranger = await createUser(testApp);
  await expectStatus(
    call(testApp, routes.account.updateProfile, {
      token: user.token,
      body: { ...profileBody, company_name: '=HYPERLINK("//evil.example","x")' },
    }),
    200,
  );
  const topUp = await beginTopUp(testApp, user, { amount: 20 });
  await changeRecord(testApp, topUp, { status: "paid" });
  await confirm(testApp, user, topUp);
  testApp.clock.advance(1_000);
  await createShield(testApp, user, {
    pricing_plan_id: await planIdOf(testApp, "plus"),
    server_name: "Skyline",
  });
  testApp.clock.advance(1_000);
  await untilIssued(testApp);
});
afterAll(() => testApp?.close());

describe("the list", () => {
  test("shows what was paid and bought, newest first, in the language of the request", async () => {
    const { data, years } = await listInvoices(testApp, user);
    expect(
      data.map(({ kind, description, total, is_sandbox }) => [
        kind,
        description,
        total,
        is_sandbox,
      ]),
    ).toEqual([
      ["invoice", "Game Shield Skyline, plan Plus", "9.00", false],
      ["receipt", "Top-up of the account balance", "20.00", true],
    ]);
    expect(years).toEqual([testApp.clock.now().getUTCFullYear()]);
    const russian = await listInvoices(testApp, user, {}, { headers: { "accept-language": "ru" } });
    expect(russian.data.map(({ description }) => description)).toEqual([
      "Game Shield Skyline, тариф Plus",
      "Пополнение баланса аккаунта",
    ]);
  });

  test("is filtered by kind, year, method and part of the number", async () => {
    const kinds = async (query: Readonly<Record<string, string>>) =>
      (await listInvoices(testApp, user, query)).data.map(({ kind }) => kind);
    expect(await kinds({ kind: "receipt" })).toEqual(["receipt"]);
    expect(await kinds({ kind: "credit_note" })).toEqual([]);
    expect(await kinds({ payment_method: "balance" })).toEqual(["invoice"]);
    expect(await kinds({ number: "inv-" })).toEqual(["invoice"]);
    expect(await kinds({ number: "%" })).toEqual([]);
    expect(await kinds({ year: "2001" })).toEqual([]);
    expect(await kinds({ year: String(testApp.clock.now().getUTCFullYear()) })).toHaveLength(2);
    // The database writes a number as documents show it.
    for (const { number, kind } of (await listInvoices(testApp, user)).data) {
      expect(await kinds({ number: number.toLowerCase() })).toEqual([kind]);
    }
  });

  test.each([
    { kind: "x" },
    { year: "1999" },
    { year: "1e309" },
    { year: "2026.5" },
    { payment_method: "cash" },
    { page: "0" },
    { per_page: "101" },
    { number: "x".repeat(33) },
  ])("refuses %j", async (query) => {
    await expectStatus(call(testApp, list, { token: user.token, query }), 422);
  });

  test("answers the last page for every page beyond it, and neither misses nor repeats one", async () => {
    const busy = await createUser(testApp);
    for (let count = 0; count < 40; count += 1) await topUpBy(testApp, busy, 100 + count);
    await untilIssued(testApp);
    const pages = await Promise.all(
      ["1", "2", "3", "4", "1000000"].map((page) => listInvoices(testApp, busy, { page })),
    );
    expect(
      pages.map(({ current_page, last_page, data }) => [current_page, last_page, data.length]),
    ).toEqual([
      [1, 3, 15],
      [2, 3, 15],
      [3, 3, 10],
      [3, 3, 10],
      [3, 3, 10],
    ]);
    const shown = pages.slice(0, 3).flatMap(({ data }) => data.map(({ number }) => number));
    expect(shown).toHaveLength(40);
    expect(shown).toEqual([...new Set(shown)].toSorted().toReversed());
    const nothing = await listInvoices(testApp, stranger, { page: "7" });
    expect(nothing).toMatchObject({ data: [], current_page: 1, last_page: 1, total: 0, years: [] });
  });
});

describe("another account", () => {
  test("sees nothing of it, in any form", async () => {
    const [mine] = (await listInvoices(testApp, user)).data;
    const params = { id: mine?.id ?? "" };
    const { token } = stranger;
    for (const route of [getInvoice, getInvoicePdf]) {
      await expectStatus(call(testApp, route, { token, params }), 404);
      await expectStatus(call(testApp, route, { params }), 401);
    }
    const year = String(testApp.clock.now().getUTCFullYear());
    await expectStatus(call(testApp, archiveInvoices, { token, query: { year } }), 404);
    const table = await expectStatus(call(testApp, exportInvoices, { token }), 200);
    expect(table.body.trim().split("\r\n")).toHaveLength(1);
  });

  test("a key that reads may read, and one of another may not", async () => {
    const [mine] = (await listInvoices(testApp, user)).data;
    const params = { id: mine?.id ?? "" };
    const key = await createApiKey(testApp, user, "read");
    await expectStatus(call(testApp, getInvoicePdf, { token: key, params }), 200);
    const foreign = await createApiKey(testApp, stranger, "write");
    await expectStatus(call(testApp, getInvoicePdf, { token: foreign, params }), 404);
  });
});

describe("the table", () => {
  test("has every document once, and no cell that a spreadsheet would run", async () => {
    const { token } = user;
    const answer = await expectStatus(call(testApp, exportInvoices, { token }), 200);
    expect(answer.headers["content-type"]).toContain("text/csv");
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="invoices.csv"');
    const [heads, ...rows] = answer.body.trim().split("\r\n");
    expect(heads).toBe(
      "number,kind,issued_at,supplied_at,description,payment_method,net,vat_treatment,vat_rate,vat_country,vat,total,currency,buyer,buyer_company,buyer_country,buyer_vat_id",
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain(',"Game Shield Skyline, plan Plus",balance,9,none,0.00,,0,9,EUR,');
    expect(answer.body).toContain(`"'=HYPERLINK(""//evil.example"",""x"")"`);
    expect(answer.body).not.toMatch(/(^|,)"?[=+@]/m);
  });
});

describe("the PDF", () => {
  test.each([
    [
      "en",
      [
        "Invoice INV-",
        "Seller Operator",
        "Anna-Maria О'Коннор",
        "Game Shield Skyline, plan Plus",
        "Period of service: ",
        "No VAT is charged.",
        "Total amount €9.00",
        "Paid from the account balance",
        "Page 1 of 1",
        "Germany",
      ],
    ],
    [
      "ru",
      [
        "Счёт-фактура INV-",
        "Продавец Operator",
        "Anna-Maria О'Коннор",
        "Game Shield Skyline, тариф Plus",
        "Период обслуживания: с ",
        "НДС не взимается.",
        "Итого 9,00 €",
        "Оплачено с баланса аккаунта",
        "Страница 1 из 1",
        "Германия",
      ],
    ],
  ])("says in %s what the detail says", async (language, wanted) => {
    const { token } = user;
    const [mine] = (await listInvoices(testApp, user, { kind: "invoice" })).data;
    const detail = await readInvoice(testApp, user, mine?.id ?? "", language);
    const answer = await expectStatus(
      call(testApp, getInvoicePdf, { token, params: { id: detail.id }, query: { language } }),
      200,
    );
    expect(answer.headers["content-type"]).toBe("application/pdf");
    expect(answer.headers["content-disposition"]).toBe(
      `attachment; filename="${detail.number}.pdf"`,
    );
    const [page = "", ...others] = await pdfPages(answer.rawPayload);
    expect(others).toEqual([]);
    for (const text of [...wanted, detail.number, detail.description, ...detail.buyer.address]) {
      expect(page).toContain(text.replaceAll(/\s+/g, " "));
    }
  });
});

describe("a year as one archive", () => {
  test("has each document under its number, and the table of the year", async () => {
    const { token } = user;
    const year = String(testApp.clock.now().getUTCFullYear());
    const answer = await expectStatus(
      call(testApp, archiveInvoices, { token, query: { year, language: "ru" } }),
      200,
    );
    expect(answer.headers["content-type"]).toBe("application/zip");
    const files = unzipSync(answer.rawPayload);
    const { data } = await listInvoices(testApp, user, { year });
    expect(Object.keys(files).sort()).toEqual(
      [`${year}/${year}.csv`, ...data.map(({ number }) => `${year}/${number}.pdf`)].sort(),
    );
    for (const { number, kind } of data) {
      const [page = ""] = await pdfPages(files[`${year}/${number}.pdf`] ?? new Uint8Array());
      expect(page).toContain(`${kind === "receipt" ? "Квитанция" : "Счёт-фактура"} ${number}`);
    }
    const table = Buffer.from(files[`${year}/${year}.csv`] ?? []).toString("utf8");
    expect(table.trim().split("\r\n")).toHaveLength(1 + data.length);
  });

  test("holds all of a year with many, and nothing of other years", async () => {
    const busy = await createUser(testApp);
    for (let count = 0; count < 30; count += 1) {
      await topUpBy(testApp, busy, 1_000);
      await purchaseBy(testApp, busy, 500);
    }
    await untilIssued(testApp);
    const year = testApp.clock.now().getUTCFullYear();
    testApp.clock.advance(366 * 86_400_000);
    await topUpBy(testApp, busy, 1_000);
    await untilIssued(testApp);
    const names = async (of: number) => {
      const query = { year: String(of) };
      const token = await openSession(testApp, busy);
      const answer = await expectStatus(call(testApp, archiveInvoices, { token, query }), 200);
      return Object.keys(unzipSync(answer.rawPayload));
    };
    expect(new Set(await names(year)).size).toBe(61);
    expect(await names(testApp.clock.now().getUTCFullYear())).toHaveLength(2);
  });

  test("is not found for a year without documents", async () => {
    const token = await openSession(testApp, user);
    await expectStatus(call(testApp, archiveInvoices, { token, query: { year: "2001" } }), 404);
    await expectStatus(call(testApp, archiveInvoices, { token }), 422);
  });
});
