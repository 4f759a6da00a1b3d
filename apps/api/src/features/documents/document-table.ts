import type { Locale } from "@palisade/contract/texts/render";
import { rateText } from "#src/features/vat/vat.service.ts";
import { toCsv } from "#src/platform/http/csv.ts";
import type { DocumentRow } from "./documents.repository.ts";
import { buyerName, presentInvoice } from "./documents.presenter.ts";

const columns = [
  "number",
  "kind",
  "issued_at",
  "supplied_at",
  "description",
  "payment_method",
  "net",
  "vat_treatment",
  "vat_rate",
  "vat_country",
  "vat",
  "total",
  "currency",
  "buyer",
  "buyer_company",
  "buyer_country",
  "buyer_vat_id",
] as const;

/** Amounts are numbers: a minus before them does not make them formulas. */
export function documentTable(rows: readonly DocumentRow[], locale: Locale): string {
  return toCsv(
    columns,
    rows.map((row) => {
      const { buyer, tax } = row;
      const shown = presentInvoice(row, locale);
      return [
        shown.number,
        shown.kind,
        shown.issued_at,
        shown.supplied_at,
        shown.description,
        shown.payment_method,
        shown.net_cents / 100,
        tax.treatment,
        rateText(tax.rate_bp),
        tax.country,
        shown.tax_cents / 100,
        shown.total_cents / 100,
        shown.currency,
        buyerName(buyer) ?? buyer.email,
        buyer.company_name,
        buyer.country,
        buyer.vat_id,
      ];
    }),
  );
}
