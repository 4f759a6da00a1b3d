import { readFile } from "node:fs/promises";
import { routes } from "@palisade/contract/http/routes";
import { pdfPages } from "@palisade/testing/pdf-text";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createShield } from "../product/account.ts";
import type { TestAccount } from "../screens/accounts.ts";
import { expectSound, watchForErrors } from "../screens/inspect.ts";
import { onSandboxPage, startBillingFixture, type BillingFixture } from "./fixture.ts";
import { openRecharge } from "./recharge-modal.ts";

/** Documents of what was paid and bought with the real product. */

const invoicesPath = "/dashboard/billing?tab=invoices";
const { listInvoices, getInvoice } = routes.invoices;

let fixture: BillingFixture;
let account: TestAccount;
/** The customer's page after a top-up by card and the purchase of a shield. */
let page: Page;
let errors: string[];

beforeAll(async () => {
  fixture = await startBillingFixture();
  account = await fixture.customer();
  page = await fixture.open(account);
  errors = watchForErrors(page);
  const modal = await openRecharge(page);
  await modal.getByLabel("Amount").fill("20");
  await modal.getByRole("button", { name: "Pay €20.00" }).click();
  await onSandboxPage(page, /^Pay/);
  await page.getByText("€20.00 credited to your balance").waitFor();
  const backend = { host: "127.0.0.1", port: 25_999 };
  await createShield(account.call, backend, "play.invoices.example", "Plus");
  await until(async () => (await account.call(listInvoices, { query: {} })).data.total === 2, {
    what: "both documents",
  });
});

afterAll(async () => {
  await fixture?.closePages();
  await fixture?.end();
});

async function downloaded(press: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test("a top-up is a receipt and a purchase is an invoice, in the customer's list", async () => {
  await page.getByRole("link", { name: "Invoices", exact: true }).click();
  const rows = page.getByRole("table", { name: "Invoices" }).locator("tbody tr");
  await until(async () => (await rows.count()) === 2, { what: "both documents" });
  for (const texts of [
    [/^RCT-/, "Receipt", "Top-up of the account balance", "Sandbox", "€20.00"],
    [/^INV-/, "Invoice", "Game Shield Skyline, plan Plus", "Account balance", "€9.00"],
  ] as const) {
    const row = rows.filter({ hasText: texts[2] });
    for (const text of texts) await row.getByText(text, { exact: true }).first().waitFor();
  }
  await expectSound(page, "receipt and invoice");
});

describe("the PDF of the purchase", () => {
  test.each([
    ["en", "PDF · English", "Invoice", "Total amount €9.00", "plan Plus"],
    ["ru", "PDF · Русский", "Счёт-фактура", "Итого 9,00 €", "тариф Plus"],
  ] as const)("says in %s what the details say", async (locale, button, kind, total, plan) => {
    const [bought] = (await account.call(listInvoices, { query: { kind: "invoice" } })).data.data;
    const headers = { "accept-language": locale };
    const params = { id: bought?.id ?? "" };
    const { invoice } = (await account.call(getInvoice, { params, headers })).data;
    await page.goto(`${invoicesPath}&invoice=${invoice.id}`);
    const drawer = page.getByRole("dialog");
    const { name, bytes } = await downloaded(() =>
      drawer.getByRole("button", { name: button }).click(),
    );
    expect(name).toBe(`${invoice.number}.pdf`);
    const [text = "", ...others] = await pdfPages(bytes);
    expect(others).toEqual([]);
    expect(invoice.description).toContain(plan);
    for (const wanted of [
      `${kind} ${invoice.number}`,
      invoice.description,
      invoice.seller.name,
      account.email,
      invoice.vat.note ?? "",
      total,
    ]) {
      expect(text).toContain(wanted);
    }
  });
});

test("the list comes as a table and the year as one archive", async () => {
  await page.goto(invoicesPath);
  const table = await downloaded(() => page.getByRole("button", { name: "Export CSV" }).click());
  expect(table.name).toBe("invoices.csv");
  expect(table.bytes.toString().trim().split("\r\n")).toHaveLength(3);
  const archive = await downloaded(() => page.getByRole("button", { name: /as ZIP$/ }).click());
  expect(archive.name).toMatch(/^invoices-\d{4}\.zip$/);
  // The archive's directory is at its end and names each file once more.
  const { data } = (await account.call(listInvoices, { query: {} })).data;
  for (const { number } of data) {
    expect(archive.bytes.toString("latin1").split(`${number}.pdf`)).toHaveLength(3);
  }
  expect(errors).toEqual([]);
});

test("the document of another account is not found", async () => {
  const [mine] = (await account.call(listInvoices, { query: {} })).data.data;
  const stranger = await fixture.customer();
  const other = await fixture.open(stranger, { path: `${invoicesPath}&invoice=${mine?.id}` });
  await other.getByText("Error fetching the document", { exact: true }).waitFor();
  expect(await other.getByText(mine?.number ?? "").count()).toBe(0);
});
