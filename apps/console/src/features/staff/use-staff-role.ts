import { hasStaffRole, type StaffRole } from "@palisade/contract/http/staff-roles";
import { useCurrentUser } from "#src/api/current-user.ts";

/** Whether the staff member has one of the roles; `admin` has each. */
export function useStaffRole(...roles: readonly StaffRole[]): boolean {
  return hasStaffRole(useCurrentUser()?.staff_roles ?? [], roles);
}
