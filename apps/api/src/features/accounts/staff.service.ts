import { commandEntry, createAuditSink } from "#src/features/audit/audit.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import { emailKeyOf, findUserByEmail, grantStaffRole } from "./users.repository.ts";

export type StaffGrant = "granted" | "already" | "unknown" | "unconfirmed";

/** Makes an account staff, from the command line only (decision 32), and puts it on its record. */
export function grantStaff(db: Db, email: string, now: Date): Promise<StaffGrant> {
  return db.transaction().execute(async (trx) => {
    const user = await findUserByEmail(trx, emailKeyOf(email));
    if (user === undefined) return "unknown";
    if (user.email_verified_at === null) return "unconfirmed";
    if (user.role === "staff") return "already";
    await grantStaffRole(trx, user.id);
    const row = { chain: `user:${user.id}`, status: 200, at: now };
    await createAuditSink(db).append(trx, commandEntry("staff add", row));
    return "granted";
  });
}
