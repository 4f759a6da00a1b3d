import { z } from "zod";
import { timestamp, uuid } from "./fields.ts";
import { paged, pageQuery } from "./paging.ts";
import { defaultLimits, route } from "./route.ts";
import { tidyLine } from "./tidy-line.ts";
import { vatTreatments } from "./vat.ts";
import { locales } from "../texts/locale.ts";

/**
 * - `receipt` money that a payment provider took
 * - `invoice` something that was bought or renewed
 * - `credit_note` takes back a receipt or an invoice, wholly or in part; its amounts are below 0
 */
export const documentKinds = ["receipt", "invoice", "credit_note"] as const;
export const documentMethods = ["stripe", "paypal", "balance"] as const;

export const invoice = z
  .object({
    id: uuid,
    number: z.string().describe("Without gaps for each kind and year"),
    kind: z.enum(documentKinds),
    description: z.string().describe("What it is about, in the language of the request"),
    payment_method: z.enum(documentMethods),
    is_sandbox: z.boolean(),
    net: z.string(),
    net_cents: z.int(),
    tax: z.string(),
    tax_cents: z.int(),
    total: z.string(),
    total_cents: z.int(),
    currency: z.literal("EUR"),
    supplied_at: timestamp.describe("When the money moved"),
    issued_at: timestamp,
  })
  .meta({ id: "Invoice" });

const nullableText = z.string().nullable();

export const invoiceDetail = invoice
  .extend({
    seller: z.object({
      name: z.string(),
      address: z.string(),
      email: z.string(),
      country: nullableText,
      vat_id: nullableText,
    }),
    buyer: z
      .object({
        name: nullableText,
        company_name: nullableText,
        email: z.string(),
        address: z.array(z.string()),
        country: nullableText,
        vat_id: nullableText,
      })
      .describe("As it was when the money moved"),
    vat: z.object({
      treatment: z.enum(vatTreatments),
      rate: z.string().describe("Per cent, with two digits"),
      country: nullableText,
      note: nullableText.describe("What the law wants said about it"),
    }),
    period: z.object({ starts_at: timestamp, ends_at: timestamp }).nullable(),
    corrects: z.object({ id: uuid, number: z.string() }).nullable(),
  })
  .meta({ id: "InvoiceDetail" });

export type Invoice = z.infer<typeof invoice>;
export type InvoiceDetail = z.infer<typeof invoiceDetail>;

const year = z.coerce
  .number("year.invalid")
  .int("year.invalid")
  .min(2000, "year.invalid")
  .max(9999, "year.invalid");

const invoiceFilter = z.object({
  kind: z.enum(documentKinds, "document_kind.invalid").optional(),
  year: year.optional().describe("Of issue, UTC"),
  payment_method: z.enum(documentMethods, "document_method.invalid").optional(),
  number: z
    .string()
    .overwrite(tidyLine)
    .max(32, "document_number.max")
    .optional()
    .describe("Part of the number"),
});

const language = z
  .enum(locales, "language.invalid")
  .optional()
  .describe("By default the language of the request");

export const listInvoices = route({
  id: "invoices.list",
  method: "GET",
  path: "/billing/invoices",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "List receipts, invoices and credit notes",
  querystring: pageQuery
    .extend({ per_page: pageQuery.shape.per_page.unwrap().default(15) })
    .extend(invoiceFilter.shape),
  success: 200,
  response: paged(invoice).extend({
    years: z.array(z.int()).describe("Years that have any, newest first"),
  }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const exportInvoices = route({
  id: "invoices.export",
  method: "GET",
  path: "/billing/invoices.csv",
  family: "api",
  access: "customer",
  apiKey: "read",
  notInViews: true,
  summary: "Export receipts, invoices and credit notes",
  querystring: invoiceFilter,
  success: 200,
  response: z.string(),
  errors: ["unauthenticated"],
  limits: [{ per: "user", max: 30, windowSeconds: 3600 }],
});

export const archiveInvoices = route({
  id: "invoices.archive",
  method: "GET",
  path: "/billing/invoices.zip",
  family: "api",
  access: "customer",
  apiKey: "read",
  notInViews: true,
  summary: "All documents of a year as PDF, with a table",
  querystring: z.object({ year, language }),
  success: 200,
  answersFile: true,
  response: z.string().meta({ contentMediaType: "application/zip" }),
  errors: ["unauthenticated", "not_found"],
  limits: [{ per: "user", max: 10, windowSeconds: 3600 }],
});

export const getInvoice = route({
  id: "invoices.read",
  method: "GET",
  path: "/billing/invoices/:id",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "One receipt, invoice or credit note",
  params: z.object({ id: uuid }),
  success: 200,
  response: z.object({ invoice: invoiceDetail }),
  errors: ["unauthenticated", "not_found"],
  limits: defaultLimits.read,
});

export const getInvoicePdf = route({
  id: "invoices.pdf",
  method: "GET",
  path: "/billing/invoices/:id/document.pdf",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "The same as PDF",
  params: z.object({ id: uuid }),
  querystring: z.object({ language }),
  success: 200,
  answersFile: true,
  response: z.string().meta({ contentMediaType: "application/pdf" }),
  errors: ["unauthenticated", "not_found"],
  limits: [{ per: "user", max: 120, windowSeconds: 60 }],
});

export const invoiceRoutes = {
  listInvoices,
  exportInvoices,
  archiveInvoices,
  getInvoice,
  getInvoicePdf,
};
