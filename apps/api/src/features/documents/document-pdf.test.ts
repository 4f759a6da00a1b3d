import type { InvoiceDetail } from "@palisade/contract/http/invoices";
import { tidyLine } from "@palisade/contract/http/tidy-line";
import { hostileTexts } from "@palisade/testing/hostile-texts";
import { describe, expect, test } from "vitest";
import { pdfPages } from "@palisade/testing/pdf-text";
import { renderPdf } from "./document-pdf.ts";

const sample: InvoiceDetail = {
  id: "019ab000-0000-7000-8000-000000000001",
  number: "INV-2026-000042",
  kind: "invoice",
  description: "Game Shield Skyline, plan Plus",
  payment_method: "balance",
  is_sandbox: false,
  net: "1234.56",
  net_cents: 123_456,
  tax: "234.57",
  tax_cents: 23_457,
  total: "1469.13",
  total_cents: 146_913,
  currency: "EUR",
  supplied_at: "2026-02-28T23:59:59.000Z",
  issued_at: "2026-03-01T00:00:01.000Z",
  seller: {
    name: "Schutz GmbH",
    address: "Straße 1, 10115 Berlin",
    email: "office@example.com",
    country: "DE",
    vat_id: "DE123456789",
  },
  buyer: {
    name: "Анна Петрова",
    company_name: "Łódź Ωmega Ελλάς ООО «Ромашка»",
    email: "anna@example.com",
    address: ["ул. Ленина, 1", "101000 Москва"],
    country: "AT",
    vat_id: "ATU12345678",
  },
  vat: { treatment: "domestic", rate: "19.00", country: "DE", note: null },
  period: { starts_at: "2026-02-28T23:59:59.000Z", ends_at: "2026-03-28T23:59:59.000Z" },
  corrects: null,
};

const textOf = async (invoice: InvoiceDetail, locale: "en" | "ru" = "en") =>
  (await pdfPages(await renderPdf(invoice, locale))).join("\n");

describe("a document as PDF", () => {
  test("has Latin, Cyrillic and Greek letters, days of UTC and the language's amounts", async () => {
    const english = await textOf(sample);
    for (const text of [
      "Invoice INV-2026-000042",
      "Date of issue: 1 March 2026",
      "Date of supply: 28 February 2026",
      "Łódź Ωmega Ελλάς ООО «Ромашка»",
      "ул. Ленина, 1",
      "VAT ID: ATU12345678",
      "VAT ID: DE123456789",
      "€1,234.56 19 % €234.57 €1,469.13",
      "Period of service: 28 February 2026 to 28 March 2026 (UTC)",
    ]) {
      expect(english).toContain(text);
    }
    const russian = await textOf(sample, "ru");
    expect(russian).toContain("Дата выставления: 1 марта 2026 г.");
    expect(russian).toContain("1 234,56 € 19 % 234,57 € 1 469,13 €");
  });

  test("is the same to the byte however often it is written", async () => {
    const [first, second] = [await renderPdf(sample, "ru"), await renderPdf(sample, "ru")];
    expect(first.equals(second)).toBe(true);
    expect(first.equals(await renderPdf(sample, "en"))).toBe(false);
  });

  test("names reverse charge, and the document that a credit note corrects", async () => {
    const note = "Reverse charge: the recipient of the service owes the VAT";
    const text = await textOf({
      ...sample,
      kind: "credit_note",
      number: "CRN-2026-000007",
      net_cents: -1_000,
      tax_cents: 0,
      total_cents: -1_000,
      vat: { treatment: "reverse_charge", rate: "0.00", country: null, note },
      corrects: { id: sample.id, number: sample.number },
    });
    for (const each of [
      note,
      "Corrects INV-2026-000042",
      "Credit note CRN-2026-000007",
      "-€10.00",
    ]) {
      expect(text).toContain(each);
    }
  });

  test("says that a sandbox's document is a sample", async () => {
    expect(await textOf({ ...sample, is_sandbox: true })).toContain("Sandbox: no money has moved");
    expect(await textOf({ ...sample, is_sandbox: true }, "ru")).toContain("деньги не переводились");
  });

  test.each(Object.entries(hostileTexts))(
    "keeps its form with a name of %s",
    async (_name, text) => {
      const pdf = await renderPdf(
        {
          ...sample,
          description: `Game Shield ${text}, plan Plus`,
          buyer: { ...sample.buyer, name: text, company_name: text, address: [text, text] },
          seller: { ...sample.seller, name: text, address: text },
        },
        "en",
      );
      const pages = await pdfPages(pdf);
      expect(pages).toHaveLength(1);
      const [page = ""] = pages;
      expect(page).toContain("INV-2026-000042");
      expect(page).toContain("Total amount €1,469.13");
      expect(page).toContain("Page 1 of 1");
      // Characters that cannot be seen are not written.
      expect(page).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
      if (/^[ -~]+$/.test(text)) {
        expect(page.replaceAll(" ", "")).toContain(tidyLine(text).replaceAll(/\s/g, ""));
      }
    },
  );

  test.each([
    ["emoji", "👩‍👩‍👧 Скала 🛡️"],
    ["Arabic and Hebrew", "شركة الحماية חברה"],
    ["Chinese", "防护有限公司"],
  ])("does not fail on %s", async (_name, text) => {
    const page = await textOf({ ...sample, buyer: { ...sample.buyer, company_name: text } });
    expect(page).toContain("Total amount €1,469.13");
    expect(page).toContain("\uFFFD");
  });

  test("continues on further pages, each with its number, where texts are very long", async () => {
    const address = Array.from({ length: 120 }, (_, index) => `Line ${index + 1} of an address`);
    const pages = await pdfPages(
      await renderPdf(
        { ...sample, description: "word ".repeat(900), buyer: { ...sample.buyer, address } },
        "en",
      ),
    );
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    }
    const whole = pages.join("\n");
    for (const each of address) expect(whole).toContain(each);
    expect(whole.match(/word/g)).toHaveLength(900);
    expect(pages.at(-1)).toContain("Total amount €1,469.13");
  });
});
