import { invoiceRoutes, type Invoice } from "@palisade/contract/http/invoices";
import type { Locale } from "@palisade/contract/texts/locale";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { saveFile } from "#src/lib/save-file.ts";
import type { BillingSearch } from "../billing-search.ts";
import { documentMethodLabels } from "./labels.ts";

/** The filters of the address that documents know: transactions have methods of their own. */
export function invoiceFilter({ kind, year, number, payment_method: method }: BillingSearch) {
  return {
    kind,
    year,
    number,
    payment_method: documentMethods.find((known) => known === method),
  };
}

const documentMethods = Object.keys(documentMethodLabels).filter(
  (method): method is Invoice["payment_method"] => method in documentMethodLabels,
);

export function invoicesQuery(search: BillingSearch) {
  const query = { ...invoiceFilter(search), page: search.page };
  return queryOptions({
    queryKey: ["billing", "invoices", query],
    queryFn: async ({ signal }) => (await call(invoiceRoutes.listInvoices, { query, signal })).data,
    placeholderData: keepPreviousData,
  });
}

export function invoiceQuery(id: string) {
  return queryOptions({
    queryKey: ["billing", "invoice", id],
    queryFn: async ({ signal }) =>
      (await call(invoiceRoutes.getInvoice, { params: { id }, signal })).data.invoice,
  });
}

export async function savePdf(
  { id, number }: Pick<Invoice, "id" | "number">,
  language: Locale,
): Promise<void> {
  const { data } = await call(invoiceRoutes.getInvoicePdf, { params: { id }, query: { language } });
  saveFile(`${number}.pdf`, data);
}

export async function saveInvoiceTable(search: BillingSearch): Promise<void> {
  const query = invoiceFilter(search);
  const { data } = await call(invoiceRoutes.exportInvoices, { query });
  const name = query.year === undefined ? "invoices" : `invoices-${query.year}`;
  saveFile(`${name}.csv`, new Blob([data], { type: "text/csv" }));
}

/** Every document of a year, in the user's language. */
export async function saveYear(year: number, language: Locale): Promise<void> {
  const { data } = await call(invoiceRoutes.archiveInvoices, { query: { year, language } });
  saveFile(`invoices-${year}.zip`, data);
}
