import { grantStaff } from "#src/features/users/staff.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const staffAddCommand: Command = {
  name: "staff add",
  usage: "<email>",
  summary: "Gives an existing account the role staff",
  async run([email, ...rest]) {
    if (email === undefined || rest.length > 0) throw new CommandError("Give one e-mail", 2);
    const outcome = await withDatabase((db, _, clock, audit) =>
      grantStaff({ db, audit }, email, clock.now()),
    );
    if (outcome === "unknown") {
      throw new CommandError(`There is no account ${email}: register it in the console first`);
    }
    if (outcome === "unconfirmed") {
      throw new CommandError(
        `${email} has not been confirmed, so it is not proved whose account it is`,
      );
    }
    console.log(
      outcome === "granted"
        ? `${email} is staff now, and can act as such once two-factor is on`
        : `${email} was staff already`,
    );
  },
};
