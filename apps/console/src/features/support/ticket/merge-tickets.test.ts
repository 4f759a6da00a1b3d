import type { TicketDetail, TicketMessage } from "@palisade/contract/http/tickets";
import { describe, expect, test } from "vitest";
import { mergeMessages, mergeTickets } from "./merge-tickets.ts";

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

const ids = (messages: readonly TicketMessage[]) => messages.map(({ id }) => id);

describe("messages", () => {
  test("are shown once and newest first, whatever order they came in", () => {
    const held = [message("c", 3), message("a", 1)];
    const read = [message("b", 2), message("a", 1)];
    expect(ids(mergeMessages(held, read))).toEqual(["c", "b", "a"]);
  });

  test("of the same moment keep one order", () => {
    expect(ids(mergeMessages([message("a", 1)], [message("b", 1)]))).toEqual(["b", "a"]);
    expect(ids(mergeMessages([message("b", 1)], [message("a", 1)]))).toEqual(["b", "a"]);
  });
});

describe("a ticket that is read again", () => {
  const ticket = (change: Partial<TicketDetail>) =>
    ({
      status: "open",
      updated_at: "2026-11-26T20:01:00.000Z",
      messages: [message("a", 1)],
      ...change,
    }) as TicketDetail;

  test("keeps a message and a status that came while it was read", () => {
    const held = ticket({
      status: "waiting_customer",
      updated_at: "2026-11-26T20:05:00.000Z",
      messages: [message("b", 5), message("a", 1)],
    });
    const merged = mergeTickets(held, ticket({}));
    expect(merged.status).toBe("waiting_customer");
    expect(ids(merged.messages)).toEqual(["b", "a"]);
  });

  test("takes the newer status that was read", () => {
    const read = ticket({ status: "closed", updated_at: "2026-11-26T20:09:00.000Z" });
    expect(mergeTickets(ticket({}), read).status).toBe("closed");
  });
});
