import type { TicketStatus } from "@palisade/contract/http/tickets";
import type { TicketRow } from "./tickets.repository.ts";

/** The status of an open ticket after a message. */
export function statusAfter(
  ticket: Pick<TicketRow, "status" | "answered_at">,
  { isAdmin }: { readonly isAdmin: boolean },
): TicketStatus {
  if (isAdmin) return "waiting_customer";
  // Staff have not answered yet, however much the customer adds.
  return ticket.status === "open" && ticket.answered_at === null ? "open" : "in_progress";
}

/** The status of a closed ticket that is opened again. */
export function statusAfterReopening({ answered_at }: Pick<TicketRow, "answered_at">) {
  return answered_at === null ? "open" : "in_progress";
}
