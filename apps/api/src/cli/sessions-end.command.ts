import { commandEntry } from "#src/features/audit/audit.service.ts";
import { endAllSessions, endSessions } from "#src/features/sessions/sessions.service.ts";
import { lockUserByEmail } from "#src/features/users/users.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

const name = "sessions end";

export const sessionsEndCommand: Command = {
  name,
  usage: "<email> | --all",
  summary: "Logs an account out everywhere, or every account",
  async run([whose, ...rest]) {
    if (whose === undefined || rest.length > 0) throw new CommandError("Give one e-mail", 2);
    const isEnded = await withDatabase((db, _, clock, audit) =>
      db.transaction().execute(async (trx) => {
        const user = whose === "--all" ? undefined : await lockUserByEmail(trx, whose);
        if (user === undefined && whose !== "--all") return false;
        if (user === undefined) await endAllSessions(trx);
        else await endSessions(trx, user.id);
        const chain = user === undefined ? "system" : `user:${user.id}`;
        await audit.append(trx, commandEntry(name, { chain, status: 200, at: clock.now() }));
        return true;
      }),
    );
    if (!isEnded) throw new CommandError(`There is no account ${whose}`);
    console.log("Every session was ended. API keys go on: their owners revoke them");
  },
};
