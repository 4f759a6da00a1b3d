import { exampleIds } from "./example-story.ts";

const text = "Since today players from Spain cannot join. The log says nothing about them.";

/** Values of the examples of tickets. */
export const ticketExamples: Readonly<Record<string, unknown>> = {
  ticket_number: 1042,
  subject: "Players from Spain cannot join",
  with_snapshot: true,
  server_id: exampleIds.shield,
  "tickets.create:message": text,
  "tickets.reply:message": text,
  "TicketMessage.message": text,
  "TicketMessage.id": exampleIds.entry,
  "TicketCreate.message": text,
  "TicketReply.message": text,
  "Ticket.id": exampleIds.entry,
  "TicketDetail.id": exampleIds.entry,
  "Ticket.user": { email: "anna@example.com", first_name: "Anna" },
  "TicketDetail.user": { email: "anna@example.com", first_name: "Anna" },
  "TicketMessage.user": { email: "anna@example.com", first_name: "Anna" },
  "TicketDetail.members": [
    { email: "anna@example.com", first_name: "Anna", is_admin: false },
    { email: null, first_name: null, is_admin: true },
  ],
  "TicketDetail.server": { id: exampleIds.shield, name: "Skyline" },
  has_snapshot: true,
  is_admin: false,
  is_own: true,
  closed_at: null,
  reopen_until: null,
  satisfaction: null,
  score: 5,
  "tickets.rate:comment": "Quick and clear",
  filename: exampleIds.other,
  original_name: "join-error.png",
  size: 48_211,
  content_type: "image/png",
  is_image: true,
  "tickets.downloadAttachment:file": exampleIds.other,
  "tickets.viewAttachment:file": exampleIds.other,
  "tickets.downloadAttachment:answer": "(bytes)",
  "tickets.viewAttachment:answer": "(bytes)",
};
