import type { RouteDefinition } from "@palisade/contract/http/route";
import { hasStaffRole } from "@palisade/contract/http/staff-roles";
import { useCurrentUser } from "#src/api/current-user.ts";

/** Whether the staff member's roles allow a call. A button for a call that is refused is not shown. */
export function useMay(): (route: Pick<RouteDefinition, "staffRoles">) => boolean {
  const roles = useCurrentUser()?.staff_roles ?? [];
  return ({ staffRoles }) => hasStaffRole(roles, staffRoles);
}
