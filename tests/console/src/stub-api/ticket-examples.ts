import { exampleIds } from "@palisade/contract/reference/example-story";
import type {
  TicketAttachment,
  TicketDetail,
  TicketMessage,
} from "@palisade/contract/http/tickets";

export const ticketId = exampleIds.shield;

const customer = { email: "anna@example.com", first_name: "Anna" };
const noPerson = { email: null, first_name: null };

/** An id of its own for each number. */
export function numberedId(number: number): string {
  return `0199a3f2-7c10-7000-8000-6f1a2b3c${String(number).padStart(4, "0")}`;
}

/** A customer's message, or else one of support. */
export function createMessage(change: Partial<TicketMessage> = {}): TicketMessage {
  const isAdmin = change.is_admin ?? false;
  return {
    id: numberedId(1),
    message: "Since noon, players from Kazakhstan time out at the login.",
    is_admin: isAdmin,
    user: isAdmin ? noPerson : customer,
    is_own: !isAdmin,
    source: "console",
    attachments: [],
    created_at: "2026-11-01T09:00:00.000Z",
    ...change,
  };
}

export function createAttachment(change: Partial<TicketAttachment> = {}): TicketAttachment {
  return {
    filename: numberedId(901),
    original_name: "latest.log",
    size: 48_120,
    content_type: "text/plain",
    is_image: false,
    ...change,
  };
}

export const image = createAttachment({
  filename: numberedId(902),
  original_name: "timeout.png",
  size: 181_300,
  content_type: "image/png",
  is_image: true,
});

/** A ticket that support has answered; `change` says how it differs. */
export function createTicket(change: Partial<TicketDetail> = {}): TicketDetail {
  return {
    id: ticketId,
    ticket_number: 1042,
    subject: "Players time out at the login",
    category: "technical",
    severity: "high",
    status: "waiting_customer",
    created_at: "2026-11-01T09:00:00.000Z",
    updated_at: "2026-11-01T10:30:00.000Z",
    user: customer,
    messages: [
      createMessage({
        id: numberedId(2),
        is_admin: true,
        message: "Thank you. Which version do they use?",
        created_at: "2026-11-01T10:30:00.000Z",
      }),
      createMessage({ attachments: [createAttachment()] }),
    ],
    members: [
      { ...customer, is_admin: false },
      { ...noPerson, is_admin: true },
    ],
    server: null,
    has_snapshot: false,
    closed_at: null,
    reopen_until: null,
    satisfaction: null,
    merged_into: null,
    response: null,
    ...change,
  };
}

/** How a ticket differs that can be reopened until the given moment, or no longer. */
export function closedWith(reopenUntil: string | null): Partial<TicketDetail> {
  return { status: "closed", closed_at: "2026-11-02T08:00:00.000Z", reopen_until: reopenUntil };
}
