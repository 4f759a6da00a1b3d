import { countryName } from "@palisade/contract/http/country-rules";
import type { InvoiceDetail } from "@palisade/contract/http/invoices";
import type { Locale } from "@palisade/contract/texts/render";
import { drawnLine } from "#src/platform/pdf/pdf-fonts.ts";
import {
  createPdf,
  gap,
  grey,
  linesAtOnce,
  margin,
  page,
  type Pdf,
  PdfWriter,
  right,
  writeLines,
} from "#src/platform/pdf/pdf-writer.ts";
import { documentText } from "./document-texts.ts";

const columns = [
  { key: "description", x: margin, width: 220, align: "left" },
  { key: "net", x: 276, width: 76, align: "right" },
  { key: "rate", x: 358, width: 64, align: "right" },
  { key: "tax", x: 427, width: 53, align: "right" },
  { key: "total", x: 485, width: right - 485, align: "right" },
] as const;

/**
 * A document as PDF, A4. The same document gives the same bytes: nothing in it depends on the moment or
 * the machine.
 */
export async function renderPdf(invoice: InvoiceDetail, locale: Locale): Promise<Buffer> {
  const title = `${documentText(locale, invoice.kind)} ${invoice.number}`;
  const { pdf, bytes } = await createPdf(locale, {
    title,
    author: invoice.seller.name,
    at: new Date(invoice.issued_at),
  });
  const writer = new PdfWriter(pdf);
  writeDocument(writer, invoice, locale, title);
  writeFooters(pdf, invoice, locale);
  pdf.end();
  return bytes;
}

function writeDocument(
  writer: PdfWriter,
  invoice: InvoiceDetail,
  locale: Locale,
  title: string,
): void {
  const text: Translate = (key, values) => documentText(locale, key, values);
  const day = dayFormat(locale);
  writer.put(title, { x: margin, y: writer.y, width: right - margin }, { size: 20, font: "bold" });
  writer.y += writer.heightOf(title, right - margin, 20, "bold") + gap;
  const facts = [
    `${text("issued")}: ${day(invoice.issued_at)}`,
    `${text(`supplied.${invoice.kind}`)}: ${day(invoice.supplied_at)}`,
    ...(invoice.corrects === null ? [] : [text("corrects", { number: invoice.corrects.number })]),
    ...(invoice.is_sandbox ? [text("sandbox")] : []),
  ];
  writeLines(writer, facts, { x: margin, width: right - margin });
  writer.y += gap;
  writeParties(writer, invoice, locale);
  writeTable(writer, [rowOf(invoice, locale)], locale);
  writeSum(writer, invoice, locale);
}

type Translate = (
  key: Parameters<typeof documentText>[1],
  values?: Parameters<typeof documentText>[2],
) => string;

/** Seller and buyer side by side. */
function writeParties(writer: PdfWriter, { seller, buyer }: InvoiceDetail, locale: Locale): void {
  const vatId = (id: string | null): string[] =>
    id === null ? [] : [`${documentText(locale, "vatId")}: ${id}`];
  const sellerLines = [
    seller.name,
    seller.address,
    ...(seller.country === null ? [] : [countryName(seller.country, locale)]),
    seller.email,
    ...vatId(seller.vat_id),
  ];
  const buyerLines = [
    ...(buyer.company_name === null ? [] : [buyer.company_name]),
    ...(buyer.name === null ? [] : [buyer.name]),
    ...buyer.address,
    buyer.email,
    ...vatId(buyer.vat_id),
  ];
  const width = (right - margin - 2 * gap) / 2;
  const top = writer.y;
  let end = top;
  for (const { title, lines, x } of [
    { title: documentText(locale, "seller"), lines: sellerLines, x: margin },
    { title: documentText(locale, "buyer"), lines: buyerLines, x: margin + width + 2 * gap },
  ]) {
    writer.y = top;
    writer.put(title, { x, y: writer.y, width }, { size: 9, font: "bold", color: grey });
    writer.y += writer.heightOf(title, width, 9, "bold") + 2;
    const pages = writer.pages;
    writeLines(writer, lines.map(drawnLine), { x, width });
    end = writer.pages === pages ? Math.max(end, writer.y) : writer.y;
  }
  writer.y = end + 2 * gap;
}

type TableRow = Readonly<Record<(typeof columns)[number]["key"], string>>;

function rowOf(invoice: InvoiceDetail, locale: Locale): TableRow {
  const money = moneyFormat(locale);
  const day = dayFormat(locale);
  const period =
    invoice.period === null
      ? ""
      : `\n${documentText(locale, "period", {
          from: day(invoice.period.starts_at),
          to: day(invoice.period.ends_at),
        })}`;
  return {
    description: `${drawnLine(invoice.description)}${period}`,
    net: money(invoice.net_cents),
    rate: `${numberFormat(locale)(Number(invoice.vat.rate))} %`,
    tax: money(invoice.tax_cents),
    total: money(invoice.total_cents),
  };
}

function writeTable(writer: PdfWriter, rows: readonly TableRow[], locale: Locale): void {
  const heads = Object.fromEntries(
    columns.map(({ key }) => [key, documentText(locale, key)]),
  ) as TableRow;
  const parts = rows.flatMap((row) => splitRow(writer, row));
  const headHeight = rowHeight(writer, heads, "bold");
  for (const [index, row] of parts.entries()) {
    const height = rowHeight(writer, row, "regular") + (index === 0 ? headHeight : 0);
    // The heads stand above the rows of each page.
    if (writer.reserve(height) || index === 0) writeRow(writer, heads, "bold");
    writeRow(writer, row, "regular");
  }
}

/** A description that is too high for one row goes on in the next ones, without amounts. */
function splitRow(writer: PdfWriter, row: TableRow): TableRow[] {
  const parts = writer.split(row.description, columns[0].width, 9, linesAtOnce);
  return parts.map((description, index) =>
    index === 0 ? { ...row, description } : { description, net: "", rate: "", tax: "", total: "" },
  );
}

function rowHeight(writer: PdfWriter, row: TableRow, font: "regular" | "bold"): number {
  return (
    Math.max(...columns.map(({ key, width }) => writer.heightOf(row[key], width, 9, font))) + 12
  );
}

function writeRow(writer: PdfWriter, row: TableRow, font: "regular" | "bold"): void {
  const height = rowHeight(writer, row, font);
  for (const { key, x, width, align } of columns) {
    writer.put(row[key], { x, y: writer.y, width }, { size: 9, font, align });
  }
  writer.y += height - 6;
  writer.rule();
}

function writeSum(writer: PdfWriter, invoice: InvoiceDetail, locale: Locale): void {
  const money = moneyFormat(locale)(invoice.total_cents);
  const width = right - margin;
  writer.reserve(80);
  const style = { size: 12, font: "bold" } as const;
  writer.put(documentText(locale, "sum"), { x: margin, y: writer.y, width }, style);
  writer.put(money, { x: margin, y: writer.y, width }, { ...style, align: "right" });
  writer.y += writer.heightOf(money, width, 12, "bold") + gap;
  const paid = invoice.kind === "credit_note" ? "refunded" : "paid";
  writeLines(
    writer,
    [
      documentText(locale, `${paid}.${invoice.payment_method}`),
      ...(invoice.vat.note === null ? [] : [invoice.vat.note]),
    ],
    { x: margin, width },
  );
}

/** When the number of pages is known. */
function writeFooters(pdf: Pdf, { seller, number }: InvoiceDetail, locale: Locale): void {
  const { count } = pdf.bufferedPageRange();
  const width = right - margin;
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index);
    const text = `${number} · ${drawnLine(seller.name)} · ${documentText(locale, "page", {
      page: index + 1,
      pages: count,
    })}`;
    pdf.font("regular").fontSize(8).fillColor(grey);
    const height = Math.min(pdf.heightOfString(text, { width }), 30);
    pdf.text(text, margin, page.height - 30 - height, { width, height: 30, align: "center" });
  }
}

const intlLocales = { en: "en-GB", ru: "ru-RU" } as const;

/** Days are those of UTC, as billing periods are. */
function dayFormat(locale: Locale): (at: string) => string {
  const format = new Intl.DateTimeFormat(intlLocales[locale], {
    dateStyle: "long",
    timeZone: "UTC",
  });
  // A day is not broken at the end of a line.
  return (at) => format.format(new Date(at)).replaceAll(" ", "\u00A0");
}

function moneyFormat(locale: Locale): (cents: number) => string {
  const format = new Intl.NumberFormat(intlLocales[locale], { style: "currency", currency: "EUR" });
  return (cents) => format.format(cents / 100);
}

function numberFormat(locale: Locale): (value: number) => string {
  const format = new Intl.NumberFormat(intlLocales[locale], { maximumFractionDigits: 2 });
  return (value) => format.format(value);
}
