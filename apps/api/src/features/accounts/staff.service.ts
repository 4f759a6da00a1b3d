import { createAuditSink } from "#src/features/audit/audit.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/ids.ts";
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
    const id = newId();
    await createAuditSink(db).append(trx, {
      id,
      chain: `user:${user.id}`,
      actorKind: "system",
      actorId: null,
      credential: null,
      method: "CLI",
      endpoint: "staff add",
      fullUrl: "",
      status: 200,
      ip: "",
      requestId: id,
      at: now,
    });
    return "granted";
  });
}
