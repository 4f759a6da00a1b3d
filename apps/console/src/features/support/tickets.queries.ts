import { serverRoutes } from "@palisade/contract/http/servers";
import { ticketRoutes, type TicketDetail } from "@palisade/contract/http/tickets";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";
import type { SupportSearch } from "./support-search.ts";
import { mergeTickets } from "./ticket/merge-tickets.ts";

const queryName = "tickets";

export function ticketsQuery({ page, status, category }: SupportSearch) {
  const query = { page, status, category };
  return queryOptions({
    queryKey: [queryName, "list", query],
    queryFn: async ({ signal }) => (await call(ticketRoutes.listTickets, { query, signal })).data,
    placeholderData: keepPreviousData,
  });
}

export function ticketQuery(id: string) {
  const queryKey = [queryName, "one", id] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const { data } = await call(ticketRoutes.getTicket, { params: { id }, signal });
      // The live channel may have brought a message after the api read the ticket.
      return mergeTickets(queryClient.getQueryData<TicketDetail>(queryKey), data.ticket);
    },
  });
}

/** Puts what an answer or the live channel says into the ticket on screen. */
export function changeTicket(id: string, change: (held: TicketDetail) => TicketDetail): void {
  queryClient.setQueryData(ticketQuery(id).queryKey, (held) =>
    held === undefined ? undefined : change(held),
  );
}

export async function refreshTicket(id: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ticketQuery(id).queryKey });
}

export async function refreshTickets(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [queryName, "list"] });
}

/** An image of a ticket. Its bytes never change. */
export function imageQuery(id: string, file: string) {
  return queryOptions({
    queryKey: [queryName, "image", id, file],
    queryFn: async ({ signal }) =>
      (await call(ticketRoutes.viewAttachment, { params: { id, file }, signal })).data,
    staleTime: Infinity,
  });
}

/** Owners with more shields name the others in the message. */
const shieldsMax = 100;

export const shieldsQuery = queryOptions({
  queryKey: ["servers", "for tickets"],
  queryFn: async ({ signal }) => {
    const query = { per_page: shieldsMax };
    return (await call(serverRoutes.listServers, { query, signal })).data.data;
  },
});
