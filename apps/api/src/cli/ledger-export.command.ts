import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import {
  exportFormats,
  exportLedger,
  revenueByMonth,
} from "#src/features/books/ledger-export.service.ts";
import { formatCents } from "#src/features/ledger/money.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

const text = { type: "string" } as const;

export const ledgerExportCommand: Command = {
  name: "ledger export",
  usage: `<first day> <last day> [--format ${exportFormats.join("|")}] --out <file>`,
  summary: "Writes every posting of these days (UTC) for accountants, as CSV or like DATEV",
  async run(args) {
    const { values, positionals } = parse(args);
    const [first, last, ...rest] = positionals;
    if (first === undefined || last === undefined || rest.length > 0) {
      throw new CommandError("Give the first and the last day, as 2026-01-01 2026-12-31", 2);
    }
    const from = readDay(first);
    const to = new Date(readDay(last).getTime() + 86_400_000);
    if (to <= from) throw new CommandError("The last day is before the first", 2);
    const format = exportFormats.find((each) => each === (values.format ?? "csv"));
    if (format === undefined) throw new CommandError(`--format: ${exportFormats.join(" or ")}`, 2);
    const { out } = values;
    if (out === undefined) throw new CommandError("--out: name the file to write", 2);
    await withDatabase((db, _, clock) =>
      // One snapshot, so that both sides of every txn are in it.
      db
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute(async (trx) => {
          const lines = exportLedger(trx, { from, to, format, now: clock.now() });
          // Only its owner may read it, and no file that is there is overwritten.
          await pipeline(
            Readable.from(lines),
            createWriteStream(out, { flags: "wx", mode: 0o600 }),
          );
        }),
    ).catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") {
        throw new CommandError(`--out: ${out} is there already`);
      }
      throw error;
    });
    console.log(`Written to ${out}`);
  },
};

export const ledgerRevenueCommand: Command = {
  name: "ledger revenue",
  usage: "",
  summary: "Shows revenue by the month in which it is earned, and what is still to be earned",
  async run() {
    const { months, now } = await withDatabase(async (db, _, clock) => ({
      months: await revenueByMonth(db, clock.now()),
      now: clock.now(),
    }));
    const thisMonth = now.toISOString().slice(0, 7);
    let ahead = 0;
    for (const [month, cents] of months) {
      if (month > thisMonth) ahead += cents;
      else console.log(`${month}  ${formatCents(cents)} EUR`);
    }
    console.log(`later    ${formatCents(ahead)} EUR`);
  },
};

function readDay(typed: string): Date {
  const day = new Date(`${typed}T00:00:00Z`);
  // Days such as 31 February would silently become another day.
  const isReal = /^\d{4}-\d{2}-\d{2}$/.test(typed) && !Number.isNaN(day.getTime());
  if (!isReal || !day.toISOString().startsWith(typed)) {
    throw new CommandError(`${typed}: give a day, as 2026-01-31`, 2);
  }
  return day;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { format: text, out: text },
      allowPositionals: true,
    });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : "Unknown option", 2);
  }
}
