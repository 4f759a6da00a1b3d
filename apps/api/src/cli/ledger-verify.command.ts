import { verifyDocuments } from "#src/features/documents/documents-check.service.ts";
import { verifyBooks } from "#src/features/ledger/ledger-check.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const ledgerVerifyCommand: Command = {
  name: "ledger verify",
  usage: "",
  summary:
    "Checks the ledger against itself, payments, paid periods and providers' lists; exit code 1 if something does not fit",
  async run() {
    const result = await withDatabase(async (db, _config, clock) => {
      const books = await verifyBooks(db);
      const documents = await verifyDocuments(db, clock.now());
      return { ...books, breaks: [...books.breaks, ...documents] };
    });
    for (const line of result.breaks) console.error(line);
    const found = `${result.txns} txns on ${result.accounts} accounts`;
    if (result.breaks.length > 0) {
      throw new CommandError(`${found}: ${result.breaks.length} breaks`);
    }
    console.log(`${found}: every txn sums to 0 and every balance to its postings`);
  },
};
