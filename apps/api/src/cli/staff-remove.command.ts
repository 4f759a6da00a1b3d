import { removeStaff } from "#src/features/users/staff.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const staffRemoveCommand: Command = {
  name: "staff remove",
  usage: "<email>",
  summary: "Takes the role staff back and ends every session of the account",
  async run([email, ...rest]) {
    if (email === undefined || rest.length > 0) throw new CommandError("Give one e-mail", 2);
    const outcome = await withDatabase((db, _, clock, audit) =>
      removeStaff({ db, audit }, email, clock.now()),
    );
    if (outcome === "unknown") throw new CommandError(`There is no account ${email}`);
    if (outcome === "not-staff") throw new CommandError(`${email} is not staff`);
    console.log(`${email} is a customer now: every session was ended`);
  },
};
