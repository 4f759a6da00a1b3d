import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { CurrentUser } from "@palisade/contract/http/auth";
import { hasStaffRole, type StaffRole } from "@palisade/contract/http/staff-roles";
import {
  IconActivityHeartbeat,
  IconDiscount2,
  IconHeartbeat,
  IconInbox,
  IconLifebuoy,
  IconMailQuestion,
  IconMapPin,
  IconReceiptEuro,
  IconServer2,
  IconShield,
  IconSpeakerphone,
  IconTags,
  IconUsers,
  type Icon,
} from "@tabler/icons-react";
import type { StaffPageProps } from "./parts/staff-page-props.ts";
import { lazy, type ComponentType, type LazyExoticComponent } from "react";

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
    name: "mails",
    label: msg`Mails`,
    icon: IconMailQuestion,
    roles: ["support"],
    page: lazy(() =>
      import("./mails/mails-page.tsx").then(({ MailsPage }) => ({ default: MailsPage })),
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
  {
    name: "operations",
    label: msg`Operations`,
    icon: IconActivityHeartbeat,
    roles: ["support", "billing", "operations"],
    page: lazy(() =>
      import("./operations/operations-page.tsx").then(({ OperationsPage }) => ({
        default: OperationsPage,
      })),
    ),
  },
  {
    name: "shields",
    label: msg`Shields`,
    icon: IconShield,
    roles: ["support", "billing", "operations"],
    page: lazy(() =>
      import("./shields/shields-page.tsx").then(({ ShieldsPage }) => ({ default: ShieldsPage })),
    ),
  },
  {
    name: "plans",
    label: msg`Plans`,
    icon: IconTags,
    roles: ["support", "billing"],
    page: lazy(() =>
      import("./plans/plans-page.tsx").then(({ PlansPage }) => ({ default: PlansPage })),
    ),
  },
  {
    name: "support",
    label: msg`Support`,
    icon: IconLifebuoy,
    roles: ["support", "billing"],
    page: lazy(() =>
      import("./support/support-page.tsx").then(({ SupportPage }) => ({ default: SupportPage })),
    ),
  },
  {
    name: "promo-codes",
    label: msg`Promo codes`,
    icon: IconDiscount2,
    roles: ["billing"],
    page: lazy(() =>
      import("./promo-codes/promo-codes-page.tsx").then(({ PromoCodesPage }) => ({
        default: PromoCodesPage,
      })),
    ),
  },
  {
    name: "payments",
    label: msg`Payments`,
    icon: IconReceiptEuro,
    roles: ["billing"],
    page: lazy(() =>
      import("./books/payments-page.tsx").then(({ PaymentsPage }) => ({ default: PaymentsPage })),
    ),
  },
  {
    name: "edges",
    label: msg`Edges`,
    icon: IconServer2,
    roles: ["operations"],
    page: lazy(() =>
      import("./edges/edges-page.tsx").then(({ EdgesPage }) => ({ default: EdgesPage })),
    ),
  },
  {
    name: "locations",
    label: msg`Locations`,
    icon: IconMapPin,
    roles: ["operations"],
    page: lazy(() =>
      import("./locations/locations-page.tsx").then(({ LocationsPage }) => ({
        default: LocationsPage,
      })),
    ),
  },
  {
    name: "announcements",
    label: msg`Announcements`,
    icon: IconSpeakerphone,
    roles: ["support", "operations"],
    page: lazy(() =>
      import("./announcements/announcements-page.tsx").then(({ AnnouncementsPage }) => ({
        default: AnnouncementsPage,
      })),
    ),
  },
  {
    name: "status",
    label: msg`Status page`,
    icon: IconHeartbeat,
    roles: ["operations"],
    page: lazy(() =>
      import("./status/status-page.tsx").then(({ StatusPage }) => ({ default: StatusPage })),
    ),
  },
];

/** The sections that a staff member may read. */
export function sectionsOf(user: CurrentUser | undefined): readonly StaffSection[] {
  return staffSections.filter(({ roles }) => hasStaffRole(user?.staff_roles ?? [], roles));
}
