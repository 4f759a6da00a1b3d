import { staffRoles, type StaffRole } from "@palisade/contract/http/staff-roles";
import { commandEntry } from "#src/features/audit/audit.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import { endSessions } from "#src/features/sessions/sessions.service.ts";
import { lockUserByEmail } from "./users.service.ts";
import { setStaffRoles } from "./users.repository.ts";

export type StaffGrant = "granted" | "already" | "unknown" | "unconfirmed";
export type StaffRemoval = "removed" | "not-staff" | "unknown";

interface StaffDeps {
  readonly db: Db;
  readonly audit: AuditLog;
}

/**
 * Makes an account staff with these roles, or changes its roles, and writes an audit row. Only the
 * command line can do this.
 */
export function grantStaff(
  { db, audit }: StaffDeps,
  { email, roles }: { readonly email: string; readonly roles: readonly StaffRole[] },
  now: Date,
): Promise<StaffGrant> {
  return db.transaction().execute(async (trx) => {
    const user = await lockUserByEmail(trx, email);
    if (user === undefined) return "unknown";
    if (user.email_verified_at === null) return "unconfirmed";
    const asked = staffRoles.filter((role) => roles.includes(role));
    if (asked.join() === user.staff_roles.join()) return "already";
    await setStaffRoles(trx, user.id, asked);
    const row = { chain: `user:${user.id}`, status: 200, at: now };
    await audit.append(trx, commandEntry("staff add", row));
    return "granted";
  });
}

/** Makes a staff member a customer again, ends their sessions and writes an audit row. */
export function removeStaff(
  { db, audit }: StaffDeps,
  email: string,
  now: Date,
): Promise<StaffRemoval> {
  return db.transaction().execute(async (trx) => {
    const user = await lockUserByEmail(trx, email);
    if (user === undefined) return "unknown";
    if (user.role !== "staff") return "not-staff";
    await setStaffRoles(trx, user.id, []);
    await endSessions(trx, user.id);
    const row = { chain: `user:${user.id}`, status: 200, at: now };
    await audit.append(trx, commandEntry("staff remove", row));
    return "removed";
  });
}
