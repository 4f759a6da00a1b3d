import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { TicketView } from "@palisade/contract/http/staff-ticket-shapes";
import type { TicketStatus } from "@palisade/contract/http/tickets";

export const viewLabels: Record<TicketView, MessageDescriptor> = {
  unassigned: msg`Unassigned`,
  mine: msg`Mine`,
  waiting: msg`Waiting for staff`,
  overdue: msg`Overdue`,
  snoozed: msg`Snoozed`,
  all: msg`All open`,
  closed: msg({ message: "Closed", context: "tickets" }),
};

export const statusLabels: Record<TicketStatus, MessageDescriptor> = {
  open: msg({ message: "New", context: "ticket" }),
  in_progress: msg({ message: "In progress", context: "ticket" }),
  waiting_customer: msg({ message: "Waiting for the customer", context: "ticket" }),
  resolved: msg({ message: "Resolved", context: "ticket" }),
  closed: msg({ message: "Closed", context: "ticket" }),
};
