import { listCannedReplies } from "@palisade/contract/http/canned-replies";
import {
  changeStaffTicket,
  getStaffTicket,
  listStaffTickets,
  viewAsStaff,
} from "@palisade/contract/http/staff-tickets";
import type { CallInput } from "@palisade/contract/http/client";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";
import type { QueueSearch } from "./ticket-search.ts";

const rowsPerPage = 25;
const pollMs = 20_000;
export const defaultView = "unassigned";

export function queueQuery({ q, view = defaultView, ...rest }: QueueSearch) {
  const query = { ...rest, view, search: q, per_page: rowsPerPage };
  return queryOptions({
    queryKey: ["staff", "tickets", query],
    queryFn: async ({ signal }) => (await call(listStaffTickets, { query, signal })).data,
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  });
}

export function ticketQuery(ticketId: string) {
  return queryOptions({
    queryKey: ["staff", "ticket", ticketId],
    queryFn: async ({ signal }) =>
      (await call(getStaffTicket, { params: { ticketId }, signal })).data.ticket,
  });
}

export const cannedQuery = queryOptions({
  queryKey: ["staff", "canned"],
  queryFn: async ({ signal }) => (await call(listCannedReplies, { signal })).data.replies,
});

export function imageQuery(ticketId: string, file: string) {
  return queryOptions({
    queryKey: ["staff", "ticket", ticketId, "image", file],
    queryFn: async ({ signal }) =>
      (await call(viewAsStaff, { params: { ticketId, file }, signal })).data,
    staleTime: Infinity,
  });
}

/** @returns the api's text */
export async function changeTicket(
  ticketId: string,
  body: CallInput<typeof changeStaffTicket>["body"],
): Promise<string> {
  const { data } = await call(changeStaffTicket, { params: { ticketId }, body });
  queryClient.setQueryData(ticketQuery(ticketId).queryKey, data.ticket);
  await queryClient.invalidateQueries({ queryKey: ["staff", "tickets"] });
  return data.message;
}

export async function refreshTicket(ticketId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ticketQuery(ticketId).queryKey });
  await queryClient.invalidateQueries({ queryKey: ["staff", "tickets"] });
}
