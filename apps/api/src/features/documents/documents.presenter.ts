import { countryName } from "@palisade/contract/http/country-rules";
import type { Invoice, InvoiceDetail } from "@palisade/contract/http/invoices";
import { tidyLine } from "@palisade/contract/http/tidy-line";
import type { Locale } from "@palisade/contract/texts/render";
import { formatCents, readCents } from "#src/features/ledger/money.service.ts";
import { rateText } from "#src/features/vat/vat.service.ts";
import type { Buyer } from "#src/schema/documents.ts";
import { documentNumber } from "./document-number.ts";
import { documentText } from "./document-texts.ts";
import type { DocumentDetailRow, DocumentRow } from "./documents.repository.ts";

export function presentInvoice(row: DocumentRow, locale: Locale): Invoice {
  const netCents = readCents(row.net_cents);
  const taxCents = readCents(row.tax_cents);
  const totalCents = readCents(row.total_cents);
  return {
    id: row.id,
    number: documentNumber(row),
    kind: row.kind,
    description: describe(row, locale),
    payment_method: row.payment_method,
    is_sandbox: row.subject.is_sandbox === true,
    net: formatCents(netCents),
    net_cents: netCents,
    tax: formatCents(taxCents),
    tax_cents: taxCents,
    total: formatCents(totalCents),
    total_cents: totalCents,
    currency: "EUR",
    supplied_at: row.supplied_at.toISOString(),
    issued_at: row.issued_at.toISOString(),
  };
}

export function presentInvoiceDetail(row: DocumentDetailRow, locale: Locale): InvoiceDetail {
  const { tax, subject, corrects_id: correctsId } = row;
  const { corrects_kind: kind, corrects_year: year, corrects_number: number } = row;
  return {
    ...presentInvoice(row, locale),
    seller: {
      name: row.seller_name,
      address: row.seller_address,
      email: row.seller_email,
      country: row.seller_country,
      vat_id: row.seller_vat_id,
    },
    buyer: presentBuyer(row.buyer, locale),
    vat: {
      treatment: tax.treatment,
      rate: rateText(tax.rate_bp),
      country: tax.country,
      note: vatNote(row, locale),
    },
    period: subject.period ?? null,
    corrects:
      correctsId === null || kind === null || year === null || number === null
        ? null
        : { id: correctsId, number: documentNumber({ kind, year, number }) },
  };
}

/** A person without a profile is known by their address alone. */
export function buyerName(buyer: Buyer): string | null {
  const name = tidyLine(`${buyer.first_name ?? ""} ${buyer.last_name ?? ""}`);
  return name === "" ? null : name;
}

function presentBuyer(buyer: Buyer, locale: Locale): InvoiceDetail["buyer"] {
  const town = tidyLine(`${buyer.zip_code ?? ""} ${buyer.city ?? ""}`);
  const country = buyer.country === null ? null : countryName(buyer.country, locale);
  const lines = [buyer.address_line_1, buyer.address_line_2, town, country];
  return {
    name: buyerName(buyer),
    company_name: buyer.company_name,
    email: buyer.email,
    address: lines.flatMap((line) =>
      line === null || tidyLine(line) === "" ? [] : [tidyLine(line)],
    ),
    country: buyer.country,
    vat_id: buyer.vat_id,
  };
}

/** Reverse charge has to be named on the invoice; the others say why there is no VAT. */
function vatNote(row: DocumentRow, locale: Locale): string | null {
  const { treatment, country } = row.tax;
  if (row.payment_method !== "balance" && treatment === "none") {
    return documentText(locale, "note.top_up");
  }
  const name = country === null ? "" : countryName(country, locale);
  return documentText(locale, `note.${treatment}`, { country: name }) || null;
}

function describe({ kind, subject }: DocumentRow, locale: Locale): string {
  switch (subject.txn) {
    case "top_up":
    case "refund":
    case "dispute":
      return documentText(locale, `about.${subject.txn}`);
    case "purchase":
    case "renewal":
      if (subject.plan === undefined) break;
      if (subject.is_support === true) {
        return documentText(locale, `about.${subject.txn}.support`, { plan: subject.plan[locale] });
      }
      if (subject.server === undefined) break;
      return documentText(locale, `about.${subject.txn}`, {
        server: subject.server,
        plan: subject.plan[locale],
      });
  }
  return documentText(locale, kind === "credit_note" ? "about.correction" : "about.service");
}
