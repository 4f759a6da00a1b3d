import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { CurrentUser } from "@palisade/contract/http/auth";
import { hasStaffRole, type StaffRole } from "@palisade/contract/http/staff-roles";
import { IconInbox, IconUsers, type Icon } from "@tabler/icons-react";
import { lazy, type ComponentType, type LazyExoticComponent } from "react";

export interface StaffPageProps {
  /** The thing that the address names below the section; undefined for its list. */
  readonly id: string | undefined;
}

export interface StaffSection {
  /** Its segment of the address, below /staff. */
  readonly name: string;
  readonly label: MessageDescriptor;
  readonly icon: Icon;
  /** The roles that may read it, beside `admin`. */
  readonly roles: readonly StaffRole[];
  readonly page: LazyExoticComponent<ComponentType<StaffPageProps>>;
}

/**
 * The sections of the staff area, in the order of the navigation. The first one that a staff member
 * may read is shown at /staff.
 */
export const staffSections: readonly StaffSection[] = [
  {
    name: "tickets",
    label: msg`Tickets`,
    icon: IconInbox,
    roles: ["support", "billing"],
    page: lazy(() =>
      import("./tickets/tickets-page.tsx").then(({ TicketsPage }) => ({ default: TicketsPage })),
    ),
  },
  {
    name: "users",
    label: msg`Users`,
    icon: IconUsers,
    roles: ["support", "billing"],
    page: lazy(() =>
      import("./users/users-page.tsx").then(({ UsersPage }) => ({ default: UsersPage })),
    ),
  },
];

/** The sections that a staff member may read. */
export function sectionsOf(user: CurrentUser | undefined): readonly StaffSection[] {
  return staffSections.filter(({ roles }) => hasStaffRole(user?.staff_roles ?? [], roles));
}
