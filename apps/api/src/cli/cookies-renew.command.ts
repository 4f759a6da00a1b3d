import { commandEntry } from "#src/features/audit/audit.service.ts";
import { renewCookieKeys } from "#src/features/configuration/cookie-keys.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const cookiesRenewCommand: Command = {
  name: "cookies renew",
  usage: "",
  summary: "After PALISADE_SECRET has changed: all shields get other keys for players' cookies",
  async run(args) {
    if (args.length > 0) throw new CommandError("It takes nothing", 2);
    await withDatabase((db, _, clock, audit) =>
      db.transaction().execute(async (trx) => {
        await renewCookieKeys(undefined, trx, null);
        const row = { chain: "system", status: 200, at: clock.now() };
        await audit.append(trx, commandEntry("cookies renew", row));
      }),
    );
    console.log("The api makes them within some minutes, and brings them to the edges");
  },
};
