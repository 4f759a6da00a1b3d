import { ticketViews } from "@palisade/contract/http/staff-ticket-shapes";
import { ticketCategories, ticketSeverities } from "@palisade/contract/http/tickets";
import { oneOf, searchOf, text, wholeNumber } from "#src/lib/search-params.ts";

function known<T extends string>(names: readonly T[]): Readonly<Record<T, true>> {
  const pairs = names.map((name) => [name, true] as const);
  // The keys are the names.
  return Object.fromEntries(pairs) as Record<T, true>;
}

/** The search parameters of the queue. */
export const queueSearch = searchOf({
  page: wholeNumber(1, 1_000_000),
  view: oneOf(known(ticketViews)),
  category: oneOf(known(ticketCategories)),
  severity: oneOf(known(ticketSeverities)),
  tag: text(30),
  q: text(100),
});

export type QueueSearch = ReturnType<typeof queueSearch>;

/** The search parameters of a ticket: where the keyboard's focus goes. */
export const ticketSearch = searchOf({ write: oneOf({ reply: true, note: true }) });
