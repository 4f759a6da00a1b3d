import { pino } from "pino";
import { commandEntry } from "#src/features/audit/audit.service.ts";
import { beginHistory } from "#src/features/configuration/history.service.ts";
import { createPgBus } from "#src/platform/database/pg-bus.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const databaseRestoredCommand: Command = {
  name: "database restored",
  usage: "",
  summary: "After a restore from backup, before the api starts: edges take everything anew",
  async run(args) {
    if (args.length > 0) throw new CommandError("It takes nothing", 2);
    await withDatabase(async (db, config, clock, audit) => {
      // Sending notifications needs no connection of its own.
      const bus = createPgBus({ url: config.databaseUrl, log: pino({ level: "silent" }) });
      await db.transaction().execute(async (trx) => {
        await beginHistory({ bus }, trx);
        const row = { chain: "system", status: 200, at: clock.now() };
        await audit.append(trx, commandEntry("database restored", row));
      });
    });
    console.log("Edges and zone DNS will take the whole configuration anew");
  },
};
