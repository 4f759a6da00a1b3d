import { quarantineReasons, type QuarantinedMail } from "@palisade/contract/http/staff-mails";
import { tidyLine } from "@palisade/contract/http/tidy-line";
import type { QuarantinedRow } from "./quarantine.repository.ts";

/** Strangers wrote the texts: characters that hide or turn others are removed. */
export function presentQuarantined(row: QuarantinedRow): QuarantinedMail {
  const { ticket_id: id, number, ticket_subject: subject, email } = row;
  const isOfTicket = id !== null && number !== null && subject !== null && email !== null;
  const from = tidyLine(row.from_address ?? row.sender);
  const reason = quarantineReasons.find((each) => each === row.reason) ?? "unreadable";
  return {
    id: row.id,
    received_at: row.received_at.toISOString(),
    from: from === "" ? null : from,
    subject: tidyLine(row.subject ?? ""),
    recipient: tidyLine(row.recipient),
    reason,
    size_bytes: row.size_bytes,
    ticket: isOfTicket ? { id, ticket_number: Number(number), subject, customer: email } : null,
    can_accept: isOfTicket && reason !== "unreadable",
  };
}
