import type { TicketDetail, TicketMessage } from "@palisade/contract/http/tickets";
import { describe, expect, test } from "vitest";
import { mergeTickets } from "./merge-tickets.ts";

function message(id: string, minute: number): TicketMessage {
  return {
    id,
    message: id,
    is_admin: false,
    user: { email: null, first_name: null },
    is_own: true,
    source: "console",
    attachments: [],
    created_at: `2026-11-26T20:${String(minute).padStart(2, "0")}:00.000Z`,
  };
}

const ids = (ticket: TicketDetail) => ticket.messages.map(({ id }) => id);

describe("a ticket that is read again", () => {
  const ticket = (change: Partial<TicketDetail>) =>
    ({
      status: "open",
      updated_at: "2026-11-26T20:01:00.000Z",
      messages: [message("a", 1)],
      ...change,
    }) as TicketDetail;

  test("keeps messages and a status that came while it was read, each once and newest first", () => {
    const held = ticket({
      status: "waiting_customer",
      updated_at: "2026-11-26T20:05:00.000Z",
      messages: [message("d", 5), message("c", 4), message("b", 2), message("a", 1)],
    });
    const merged = mergeTickets(held, ticket({ messages: [message("b", 2), message("a", 1)] }));
    expect(merged.status).toBe("waiting_customer");
    expect(ids(merged)).toEqual(["d", "c", "b", "a"]);
  });

  test("takes the newer status, and the order in which the api answers", () => {
    const read = ticket({
      status: "closed",
      updated_at: "2026-11-26T20:09:00.000Z",
      messages: [message("c", 3), message("a", 1)],
    });
    const merged = mergeTickets(ticket({}), read);
    expect(merged.status).toBe("closed");
    expect(ids(merged)).toEqual(["c", "a"]);
  });

  test("has no message on top that the api no longer answers because it is too old", () => {
    const held = ticket({ messages: [message("c", 3), message("b", 2), message("a", 1)] });
    expect(
      ids(mergeTickets(held, ticket({ messages: [message("c", 3), message("b", 2)] }))),
    ).toEqual(["c", "b"]);
  });
});
