import { verifyDocuments } from "#src/features/documents/documents-check.service.ts";
import { verifyLedger } from "#src/features/ledger/ledger-check.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const ledgerVerifyCommand: Command = {
  name: "ledger verify",
  usage: "",
  summary: "Checks every txn and balance of the ledger; exit code 1 where one does not hold",
  async run() {
    const result = await withDatabase(async (db, _config, clock) => {
      const ledger = await verifyLedger(db);
      const documents = await verifyDocuments(db, clock.now());
      return { ...ledger, breaks: [...ledger.breaks, ...documents] };
    });
    for (const line of result.breaks) console.error(line);
    const found = `${result.txns} txns on ${result.accounts} accounts`;
    if (result.breaks.length > 0) {
      throw new CommandError(`${found}: ${result.breaks.length} breaks`);
    }
    console.log(`${found}: every txn sums to 0 and every balance to its postings`);
  },
};
