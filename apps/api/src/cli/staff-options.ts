import { findUserByEmail } from "#src/features/users/users.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import { CommandError } from "./command.ts";

/** @throws CommandError if the e-mail is not of a staff member */
export async function findStaff(db: Db, email: string): Promise<{ readonly id: string }> {
  const user = await findUserByEmail(db, email);
  if (user?.role !== "staff") throw new CommandError(`--by: ${email} is not staff`);
  return { id: user.id };
}

/** @throws CommandError without one */
export function readReason(typed: string | undefined): string {
  const reason = typed?.trim() ?? "";
  if (reason === "" || reason.length > 200) {
    throw new CommandError("--reason: say in 1 to 200 characters what it is for", 2);
  }
  return reason;
}
