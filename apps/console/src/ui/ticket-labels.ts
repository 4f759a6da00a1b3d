import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { TicketCategory, TicketSeverity } from "@palisade/contract/http/tickets";

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
