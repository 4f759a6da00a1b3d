import { commandEntry } from "#src/features/audit/audit.service.ts";
import { renewCookieKeys } from "#src/features/configuration/cookie-keys.service.ts";
import { reencryptSecrets } from "#src/features/secret-rotation/reencryption.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const secretsReencryptCommand: Command = {
  name: "secrets reencrypt",
  usage: "",
  summary:
    "After PALISADE_SECRET was rotated: encrypts what is kept under former secrets under the new one",
  async run(args) {
    if (args.length > 0) throw new CommandError("It takes nothing", 2);
    const results = await withDatabase(async (db, config, clock, audit) => {
      const reencrypted = await reencryptSecrets(db, config);
      await db.transaction().execute(async (trx) => {
        await renewCookieKeys(undefined, trx, null);
        const row = { chain: "system", status: 200, at: clock.now() };
        await audit.append(trx, commandEntry("secrets reencrypt", row));
      });
      return reencrypted;
    });
    for (const { name, done } of results) console.log(`${name}: ${done} encrypted again`);
    const lost = results.filter(({ unreadable }) => unreadable > 0);
    if (lost.length === 0) return;
    const what = lost.map(({ name, unreadable }) => `${unreadable} ${name}`).join(", ");
    throw new CommandError(
      `Not readable by any secret: ${what}. Add the secret they were made under to PALISADE_FORMER_SECRETS, then run this again`,
    );
  },
};
