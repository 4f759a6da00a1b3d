import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { TicketStatus } from "@palisade/contract/http/tickets";

export const statusLabels: Record<TicketStatus, MessageDescriptor> = {
  open: msg({ message: "Opened", context: "ticket" }),
  in_progress: msg({ message: "In progress", context: "ticket" }),
  waiting_customer: msg({ message: "Waiting", context: "ticket" }),
  resolved: msg({ message: "Resolved", context: "ticket" }),
  closed: msg({ message: "Closed", context: "ticket" }),
};
