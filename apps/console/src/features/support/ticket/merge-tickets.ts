import type { TicketDetail, TicketMessage } from "@palisade/contract/http/tickets";

/**
 * The messages of both, each once, newest first. Messages are never removed from a ticket, so an
 * answer that was read before a live message arrived does not take it away.
 */
export function mergeMessages(
  held: readonly TicketMessage[],
  read: readonly TicketMessage[],
): TicketMessage[] {
  const byId = new Map([...held, ...read].map((message) => [message.id, message]));
  return [...byId.values()].toSorted(
    (a, b) => compare(b.created_at, a.created_at) || compare(b.id, a.id),
  );
}

/** The ticket as read, with the messages and the status that the live channel brought since. */
export function mergeTickets(held: TicketDetail | undefined, read: TicketDetail): TicketDetail {
  if (held === undefined) return { ...read, messages: mergeMessages([], read.messages) };
  const messages = mergeMessages(held.messages, read.messages);
  const isOlder = compare(read.updated_at, held.updated_at) < 0;
  return isOlder
    ? { ...read, messages, status: held.status, updated_at: held.updated_at }
    : { ...read, messages };
}

/** ISO times of one form and ids compare as texts. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
