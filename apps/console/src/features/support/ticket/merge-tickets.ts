import { mergeMessages } from "@palisade/contract/http/live-client";
import type { TicketDetail, TicketMessage } from "@palisade/contract/http/tickets";

/**
 * The ticket as read, with the messages and the status that the live channel or an answer brought
 * while it was read: they are newer than all that was read.
 */
export function mergeTickets(held: TicketDetail | undefined, read: TicketDetail): TicketDetail {
  if (held === undefined) return read;
  const messages = mergeMessages(read.messages, newerThanRead(held.messages, read.messages));
  const isOlder = read.updated_at < held.updated_at;
  return isOlder
    ? { ...read, messages, status: held.status, updated_at: held.updated_at }
    : { ...read, messages };
}

/** Oldest first. The api no longer answers the oldest messages of a very long ticket. */
function newerThanRead(
  held: readonly TicketMessage[],
  read: readonly TicketMessage[],
): TicketMessage[] {
  const oldest = read.at(-1)?.created_at ?? "";
  return held.filter((message) => message.created_at >= oldest).toReversed();
}
