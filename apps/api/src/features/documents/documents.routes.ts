import { routes } from "@palisade/contract/http/routes";
import { toPage } from "@palisade/contract/http/paging";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { csvHeaders } from "#src/platform/http/csv.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { createArchive } from "./document-archive.ts";
import { documentNumber } from "./document-number.ts";
import { renderPdf } from "./document-pdf.ts";
import { documentTable } from "./document-table.ts";
import { presentInvoice, presentInvoiceDetail } from "./documents.presenter.ts";
import {
  countDocuments,
  selectDocument,
  selectDocuments,
  selectYearDocuments,
} from "./documents.repository.ts";

/** A busy year of one account, twice over. More is for the operator's export. */
const exportRowsMax = 20_000;

export function mountDocumentRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  const read = async (userId: string, id: string) => {
    const row = await selectDocument(db, userId, id);
    if (row === undefined) throw new DomainError("not_found");
    return row;
  };

  mount(routes.invoices.listInvoices, async (ctx, { query }) => {
    const { userId } = ctx.actor;
    const { per_page: limit } = query;
    const { total, years } = await countDocuments(db, userId, query);
    // A page beyond the last is the last: rows may have been filtered out since it was asked for.
    const page = Math.min(query.page, Math.max(1, Math.ceil(total / limit)));
    const window = { limit, offset: (page - 1) * limit, total };
    const rows = await selectDocuments(db, userId, query, window);
    const data = rows.map((row) => presentInvoice(row, ctx.locale));
    return { body: { ...toPage(data, page, limit, total), years } };
  });

  mount(routes.invoices.exportInvoices, async (ctx, { query }) => {
    const window = { limit: exportRowsMax, offset: 0 };
    const rows = await selectDocuments(db, ctx.actor.userId, query, window);
    const name = query.year === undefined ? "invoices" : `invoices-${query.year}`;
    return { body: documentTable(rows, ctx.locale), headers: csvHeaders(`${name}.csv`) };
  });

  mount(routes.invoices.archiveInvoices, async (ctx, { query }) => {
    const { userId } = ctx.actor;
    const { year, language: locale = ctx.locale } = query;
    const rows = await selectYearDocuments(db, userId, year);
    if (rows.length === 0) throw new DomainError("not_found");
    const documents = rows.map((row) => ({
      id: row.id,
      name: documentNumber({ ...row, year }),
      at: row.issued_at,
    }));
    return {
      body: createArchive(db, { userId, year, locale, documents }),
      headers: fileHeaders("application/zip", `invoices-${year}.zip`),
    };
  });

  mount(routes.invoices.getInvoice, async (ctx, { params }) => ({
    body: { invoice: presentInvoiceDetail(await read(ctx.actor.userId, params.id), ctx.locale) },
  }));

  mount(routes.invoices.getInvoicePdf, async (ctx, { params, query }) => {
    const row = await read(ctx.actor.userId, params.id);
    const locale = query.language ?? ctx.locale;
    return {
      body: await renderPdf(presentInvoiceDetail(row, locale), locale),
      headers: fileHeaders("application/pdf", `${documentNumber(row)}.pdf`),
    };
  });
}

function fileHeaders(type: string, fileName: string): Record<string, string> {
  return { "content-type": type, "content-disposition": `attachment; filename="${fileName}"` };
}
