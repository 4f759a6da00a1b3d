import { staffRoles, type StaffRole } from "@palisade/contract/http/staff-roles";
import { grantStaff } from "#src/features/users/staff.service.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const staffAddCommand: Command = {
  name: "staff add",
  usage: `<email> [${staffRoles.join("|")} ...]`,
  summary:
    "Makes an existing account staff with these roles, or changes its roles; by default admin",
  async run([email, ...given]) {
    if (email === undefined) throw new CommandError("Give an e-mail", 2);
    const roles = given.length === 0 ? (["admin"] as const) : given.map(readRole);
    const outcome = await withDatabase((db, _, clock, audit) =>
      grantStaff({ db, audit }, { email, roles }, clock.now()),
    );
    if (outcome === "unknown") {
      throw new CommandError(`There is no account ${email}: register it in the console first`);
    }
    if (outcome === "unconfirmed") {
      throw new CommandError(
        `${email} has not been confirmed, so it is not proved whose account it is`,
      );
    }
    const held = roles.join(", ");
    console.log(
      outcome === "granted"
        ? `${email} is staff now (${held}), and can act as such once two-factor is on`
        : `${email} was staff already (${held})`,
    );
  },
};

function readRole(typed: string): StaffRole {
  const role = staffRoles.find((each) => each === typed);
  if (role === undefined) {
    throw new CommandError(`${typed} is no role: give ${staffRoles.join(", ")}`, 2);
  }
  return role;
}
