import { readFile } from "node:fs/promises";
import { routes } from "@palisade/contract/http/routes";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import {
  expectSound,
  expectSoundEverywhere,
  settled,
  watchForErrors,
} from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { createDocuments } from "../stub-api/account-state.ts";

/** Receipts, invoices and credit notes on the billing page: table, filters, pages, details, downloads. */

const { invoices } = routes;
const invoicesPath = "/dashboard/billing?tab=invoices";
const fixture = useConsole();

/** Three pages, of two years: invoices, receipts, and the credit note of the second invoice. */
beforeEach(() => {
  const documents = createDocuments(33, (index) => {
    if (index >= 30)
      return { issued_at: "2025-12-31T23:30:00.000Z", number: `INV-2025-00${index}` };
    if (index % 3 !== 1) return {};
    return {
      kind: "receipt" as const,
      payment_method: index % 2 === 0 ? ("paypal" as const) : ("stripe" as const),
      number: `RCT-2026-0000${index}`,
      description: "Top-up of the account balance",
      period: null,
    };
  });
  const corrected = documents[2];
  if (corrected === undefined) throw new Error("There is no third document");
  fixture.state.documents = [
    {
      ...corrected,
      id: corrected.id.replace(/.{4}$/, "9999"),
      kind: "credit_note",
      number: "CRN-2026-000001",
      net_cents: -900,
      tax_cents: -171,
      total_cents: -1071,
      net: "-9.00",
      tax: "-1.71",
      total: "-10.71",
      corrects: { id: corrected.id, number: corrected.number },
    },
    ...documents,
  ];
});

const rowsOf = (page: Page) => page.getByRole("table", { name: "Invoices" }).locator("tbody tr");
const address = (page: Page, search: string) => page.waitForURL((url) => url.search === search);
const drawerOf = (page: Page) => page.getByRole("dialog");

/** The name and text of the file that a press saves. */
async function downloaded(page: Page, press: () => Promise<unknown>) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return {
    name: download.suggestedFilename(),
    text: await readFile(await download.path(), "utf8"),
  };
}

describe("the table", () => {
  test("shows number, kind, what it is about, method, amount with VAT, and the day in UTC", async () => {
    const page = await fixture.open(invoicesPath);
    expect(await page.getByRole("columnheader").allInnerTexts()).toEqual([
      "Date",
      "Number",
      "Type",
      "Payment Method",
      "Amount",
      "PDF",
    ]);
    expect(await rowsOf(page).count()).toBe(15);
    const row = rowsOf(page).filter({ hasText: "CRN-2026-000001" });
    await row.getByText("Credit note", { exact: true }).waitFor();
    await row.getByText("-€10.71", { exact: true }).waitFor();
    await row.getByText("incl. -€1.71 VAT").waitFor();
    await page.goto("/dashboard/billing?tab=invoices&year=2025");
    await rowsOf(page).first().getByText("31 Dec 2025", { exact: true }).waitFor();
  });

  test("first, previous, next, last and the page field lead through it, in the address", async () => {
    const page = await fixture.open(invoicesPath);
    await page.getByText("of 3").waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await address(page, "?tab=invoices&page=2");
    await page.getByRole("button", { name: "Last page" }).click();
    await address(page, "?tab=invoices&page=3");
    await page.getByRole("button", { name: "Previous page" }).click();
    await address(page, "?tab=invoices&page=2");
    await page.getByRole("button", { name: "First page" }).click();
    await address(page, "?tab=invoices");
    for (const [typed, search, shown] of [
      ["99", "?tab=invoices&page=3", "3"],
      ["0", "?tab=invoices", "1"],
      ["2x", "?tab=invoices&page=2", "2"],
    ] as const) {
      const field = page.getByRole("textbox", { name: "Page number" });
      await field.fill(typed);
      await field.press("Enter");
      await address(page, search);
      await until(async () => (await field.inputValue()) === shown, { what: `page ${shown}` });
    }
  });

  test("an address beyond the last page leads to the last", async () => {
    const page = await fixture.open(`${invoicesPath}&page=77`);
    await page.getByText("of 3").waitFor();
    expect(await rowsOf(page).count()).toBe(4);
  });

  test("another tab begins without the filters and pages of this one", async () => {
    const page = await fixture.open(`${invoicesPath}&kind=receipt&payment_method=paypal`);
    await page.getByRole("link", { name: "Transactions", exact: true }).click();
    await address(page, "");
    await page.getByRole("link", { name: "Invoices", exact: true }).click();
    await address(page, "?tab=invoices");
    const tables = page.getByRole("table", { name: "Invoices" });
    await until(async () => (await tables.count()) === 1, { what: "the list" });
  });
});

describe("filters", () => {
  test("stand in the address, begin at the first page, survive a reload and can be taken back", async () => {
    const page = await fixture.open(`${invoicesPath}&page=2`);
    await page.getByRole("combobox", { name: "Type" }).selectOption("Receipt");
    await address(page, "?tab=invoices&kind=receipt");
    await until(async () => (await rowsOf(page).count()) === 10, { what: "ten receipts" });
    await page.getByRole("combobox", { name: "Payment method" }).selectOption("PayPal");
    await address(page, "?tab=invoices&kind=receipt&payment_method=paypal");
    await page.getByRole("searchbox", { name: "Number" }).fill("2026-00004");
    await page.keyboard.press("Enter");
    await page.getByText("of 3").waitFor({ state: "detached" });
    await until(async () => (await rowsOf(page).count()) === 1, { what: "one receipt" });
    await page.reload();
    await settled(page);
    expect(await rowsOf(page).allInnerTexts()).toEqual([expect.stringContaining("RCT-2026-00004")]);
    await page.getByRole("combobox", { name: "Year" }).selectOption("2025");
    await page.getByText("No document matches these filters.").waitFor();
    await expectSound(page, "nothing matches");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await address(page, "?tab=invoices");
    await page.getByText("of 3").waitFor();
  });

  test.each(["kind=bill", "year=1999", "year=x", "payment_method=promo", "number=&page=-1"])(
    "an address with %s shows the whole list",
    async (search) => {
      const page = await fixture.open(`${invoicesPath}&${search}`);
      await page.getByText("of 3").waitFor();
      expect(await rowsOf(page).count()).toBe(15);
    },
  );
});

describe("the details", () => {
  test("open from the number, in the address, and Escape leads back to the same page", async () => {
    const page = await fixture.open(`${invoicesPath}&page=2`);
    const number = await rowsOf(page).first().getByRole("button").first().innerText();
    await page.getByRole("button", { name: number, exact: true }).press("Enter");
    const drawer = page.getByRole("dialog", { name: new RegExp(number) });
    await drawer.waitFor();
    expect(new URL(page.url()).searchParams.get("page")).toBe("2");
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await address(page, "?tab=invoices&page=2");
    await until(
      () =>
        page.getByRole("button", { name: number, exact: true }).and(page.locator(":focus")).count(),
      { what: "the focus back on the number" },
    );
  });

  test("say all that the PDF says: seller, buyer, days, period, net, VAT and total", async () => {
    const page = await fixture.open(invoicesPath);
    const document = fixture.state.documents.find(({ kind }) => kind === "invoice");
    if (document === undefined) throw new Error("There is no invoice");
    await page.goto(`${invoicesPath}&invoice=${document.id}`);
    const drawer = drawerOf(page);
    await drawer.getByText(document.description).waitFor();
    const shown = (await drawer.innerText()).replaceAll(/\s+/g, " ");
    for (const text of [
      `Invoice ${document.number}`,
      "Date of issue 1 Nov 2026",
      "Date of supply 1 Nov 2026",
      "1 Nov 2026 – 1 Dec 2026",
      "Net €9.00 VAT 19% €1.71 Total €10.71",
      document.seller.name,
      document.buyer.name ?? "",
      ...document.buyer.address,
    ]) {
      expect(shown).toContain(text);
    }
  });

  test("lead from a credit note to the document that it corrects", async () => {
    const page = await fixture.open(invoicesPath);
    await page.getByRole("button", { name: "CRN-2026-000001", exact: true }).click();
    const corrected = fixture.state.documents[0]?.corrects?.number ?? "";
    await drawerOf(page).getByRole("button", { name: corrected, exact: true }).click();
    await page.getByRole("dialog", { name: `Invoice ${corrected}` }).waitFor();
    await page.goBack();
    await page.getByRole("dialog", { name: "Credit note CRN-2026-000001" }).waitFor();
    expect(await drawerOf(page).count()).toBe(1);
  });

  test("say of a sandbox's document that it is a sample", async () => {
    fixture.state.documents = createDocuments(1, () => ({ is_sandbox: true }));
    const page = await fixture.open(invoicesPath);
    await rowsOf(page).getByRole("button").first().click();
    await drawerOf(page)
      .getByText("No money has moved, and this document is only a sample.")
      .waitFor();
    expect(await drawerOf(page).getByText("Sandbox", { exact: true }).count()).toBe(1);
  });

  test("wait with skeletons, and say when there is no such document", async () => {
    const release = fixture.api.delay(invoices.getInvoice);
    const page = await fixture.page({ width: 390 });
    await page.goto(`${invoicesPath}&invoice=0199a3f2-7c10-7000-8000-00000000dead`);
    await drawerOf(page).locator("[aria-busy=true]").waitFor();
    await expectSound(page, "details on their way");
    release();
    await drawerOf(page).getByText("Error fetching the document", { exact: true }).waitFor();
    await expectSound(page, "no such document");
    await page.keyboard.press("Escape");
    await drawerOf(page).waitFor({ state: "detached" });
  });
});

describe("downloads", () => {
  test("the PDF comes in the language of its button, under the document's number", async () => {
    const page = await fixture.open(invoicesPath);
    const number = "CRN-2026-000001";
    const row = page.getByRole("button", { name: `Download ${number} as PDF` });
    expect((await downloaded(page, () => row.click())).name).toBe(`${number}.pdf`);
    await page.getByRole("button", { name: number, exact: true }).click();
    for (const name of ["PDF · English", "PDF · Русский"]) {
      const button = drawerOf(page).getByRole("button", { name });
      expect((await downloaded(page, () => button.click())).name).toBe(`${number}.pdf`);
    }
    const languages = fixture.api
      .callsOf(invoices.getInvoicePdf)
      .map(({ query }) => query["language"]);
    expect(languages).toEqual(["en", "en", "ru"]);
  });

  test("the table has the filters of the list, and the archive the chosen year", async () => {
    const page = await fixture.open(`${invoicesPath}&kind=invoice&year=2025&page=1`);
    const csv = page.getByRole("button", { name: "Export CSV" });
    const table = await downloaded(page, () => csv.click());
    expect(table.name).toBe("invoices-2025.csv");
    expect(table.text).toContain("number,kind,issued_at");
    expect(fixture.api.callsOf(invoices.exportInvoices)[0]?.query).toEqual({
      kind: "invoice",
      year: "2025",
    });
    const zip = page.getByRole("button", { name: "All of 2025 as ZIP" });
    expect((await downloaded(page, () => zip.click())).name).toBe("invoices-2025.zip");
    expect(fixture.api.callsOf(invoices.archiveInvoices)[0]?.query).toEqual({
      year: "2025",
      language: "en",
    });
  });

  test("without a year the archive has the newest", async () => {
    const page = await fixture.open(invoicesPath);
    await page.getByRole("button", { name: "All of 2026 as ZIP" }).waitFor();
    expect(fixture.api.callsOf(invoices.archiveInvoices)).toEqual([]);
  });

  test.each([
    [invoices.exportInvoices, "Export CSV"],
    [invoices.archiveInvoices, "All of 2026 as ZIP"],
    [invoices.getInvoicePdf, "Download CRN-2026-000001 as PDF"],
  ])("that fail say so, and can be tried again (%#)", async (route, name) => {
    const page = await fixture.open(invoicesPath);
    fixture.api.cut(route);
    await page.getByRole("button", { name }).click();
    await page.getByText("Failed to download file", { exact: true }).waitFor();
    const failed = fixture.api.callsOf(route).length;
    fixture.api.restore(route);
    await downloaded(page, () => page.getByRole("button", { name }).click());
    expect(fixture.api.callsOf(route).length).toBeGreaterThan(failed);
  });
});

test("an account without documents reads what will be here, and is offered no downloads", async () => {
  fixture.state.documents = [];
  const page = await fixture.open(invoicesPath);
  await page.getByText("No data to display").waitFor();
  expect(await page.getByRole("button", { name: "Export CSV" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Clear filters" }).count()).toBe(0);
  await expectSound(page, "no documents");
});

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("list and details are sound at every width", async () => {
    const page = await fixture.open(invoicesPath, look);
    const errors = watchForErrors(page);
    for (const width of [1440, 901, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await expectSound(page, `list at ${width} px`);
    }
    await page.getByRole("button", { name: "CRN-2026-000001", exact: true }).click();
    await drawerOf(page).getByText("Game Shield").waitFor();
    await expectSoundEverywhere(page, "details", 700);
    expect(errors).toEqual([]);
  });
});
