import { verifyAuditLog } from "#src/features/audit/audit.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const auditVerifyCommand: Command = {
  name: "audit verify",
  usage: "[mark]",
  summary:
    "Recomputes the keyed hash chains of the audit log; exit code 1 where one is broken, or where the mark that an earlier run named is gone",
  async run([mark]) {
    const result = await withDatabase((db, config) => verifyAuditLog(db, config, { mark }));
    for (const line of result.breaks) console.error(line);
    const found = `${result.rows} rows in ${result.chains} chains`;
    if (result.breaks.length > 0) {
      throw new CommandError(`${found}: ${result.breaks.length} chains are broken`);
    }
    console.log(`${found}: every chain is whole`);
    if (result.mark !== undefined) console.log(`The newest mark is ${result.mark}`);
  },
};
