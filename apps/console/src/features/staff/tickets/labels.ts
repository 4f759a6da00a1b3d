import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { TicketView } from "@palisade/contract/http/staff-ticket-shapes";
import type { TicketCategory, TicketSeverity, TicketStatus } from "@palisade/contract/http/tickets";

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

export const categoryLabels: Record<TicketCategory, MessageDescriptor> = {
  billing: msg({ message: "Billing", context: "ticket" }),
  technical: msg({ message: "Technical", context: "ticket" }),
  sales: msg({ message: "Sales", context: "ticket" }),
};

export const severityLabels: Record<TicketSeverity, MessageDescriptor> = {
  low: msg({ message: "Low", context: "severity" }),
  medium: msg({ message: "Medium", context: "severity" }),
  high: msg({ message: "High", context: "severity" }),
  critical: msg({ message: "Critical", context: "severity" }),
};
