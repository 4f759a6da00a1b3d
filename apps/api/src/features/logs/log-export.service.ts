import { Readable } from "node:stream";
import { exportedEntriesMax } from "@palisade/contract/http/logs";
import type { Db } from "#src/platform/database/db.ts";
import type { TimeCursor } from "#src/platform/http/time-cursor.ts";
import { toCsv } from "#src/platform/http/csv.ts";
import { searchLogins } from "./log-search.service.ts";
import type { LoginFilter } from "./log-search.repository.ts";
import { csvColumns, csvRow, presentLogin, type Reader } from "./logs.presenter.ts";

const rowsAtOnce = 1_000;

export interface LogExport {
  readonly shieldId: string;
  readonly filter: LoginFilter;
  readonly days: number;
  readonly now: Date;
  readonly reader: Reader;
}

/** The next rows are read when the caller has taken the ones before, so a slow one costs no memory. */
export function exportLog(db: Db, wanted: LogExport): Readable {
  return Readable.from(linesOf(db, wanted), { objectMode: false, highWaterMark: 64 * 1024 });
}

async function* linesOf(db: Db, { shieldId, filter, days, now, reader }: LogExport) {
  yield toCsv(csvColumns, []);
  let before: TimeCursor | undefined;
  for (let written = 0; written < exportedEntriesMax; written += rowsAtOnce) {
    const window = { days, before, now, limit: rowsAtOnce };
    const rows = await searchLogins(db, shieldId, filter, window);
    before = rows.at(-1);
    if (before === undefined) return;
    const lines = rows.map((row) => csvRow(presentLogin(row, reader)));
    // The names are written once, at the begin.
    yield toCsv(csvColumns, lines).slice(toCsv(csvColumns, []).length);
    if (rows.length < rowsAtOnce) return;
  }
}
