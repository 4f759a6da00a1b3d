import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Locale } from "@palisade/contract/texts/render";
import { ZipFile } from "yazl";
import type { Db } from "#src/platform/database/db.ts";
import { renderPdf } from "./document-pdf.ts";
import { documentTable } from "./document-table.ts";
import { presentInvoiceDetail } from "./documents.presenter.ts";
import { selectDocument, selectDocuments } from "./documents.repository.ts";

export interface ArchiveOrder {
  readonly userId: string;
  readonly year: number;
  readonly locale: Locale;
  /** The year's documents, in the order of the archive. */
  readonly documents: readonly { readonly id: string; readonly name: string; readonly at: Date }[];
}

/**
 * A year's documents as PDF, and their table. Each is written only when the ones before it have been
 * read: the archive is never in memory as a whole, and a reader who leaves ends the work.
 */
export function createArchive(db: Db, order: ArchiveOrder): Readable {
  const { userId, year, locale, documents } = order;
  const zip = new ZipFile();
  // A PassThrough, which its type does not say.
  const output = zip.outputStream as Readable;
  const fail = (error: unknown): void => {
    output.destroy(error instanceof Error ? error : new Error(String(error)));
  };
  zip.on("error", fail);
  for (const { id, name, at } of documents) {
    // PDFs are compressed already.
    const options = { mtime: at, compress: false };
    zip.addReadStreamLazy(`${year}/${name}.pdf`, options, (done) => {
      done(null, Readable.from(pdfOf(db, { userId, id, locale })));
    });
  }
  const mtime = documents.at(-1)?.at ?? new Date(Date.UTC(year, 0, 1));
  zip.addReadStreamLazy(`${year}/${year}.csv`, { mtime }, (done) => {
    done(null, Readable.from(tableOf(db, order)));
  });
  zip.end();
  return output;
}

async function* pdfOf(
  db: Db,
  { userId, id, locale }: { readonly userId: string; readonly id: string; readonly locale: Locale },
): AsyncGenerator<Buffer> {
  // Other calls get their turn between two documents.
  await nextTurn();
  const row = await selectDocument(db, userId, id);
  if (row === undefined) throw new Error(`Document ${id} is gone`);
  yield await renderPdf(presentInvoiceDetail(row, locale), locale);
}

async function* tableOf(
  db: Db,
  { userId, year, locale, documents }: ArchiveOrder,
): AsyncGenerator<Buffer> {
  const window = { limit: documents.length + 1, offset: 0 };
  yield Buffer.from(documentTable(await selectDocuments(db, userId, { year }, window), locale));
}
