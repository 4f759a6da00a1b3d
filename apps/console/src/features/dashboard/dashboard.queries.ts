import { profileRoutes } from "@palisade/contract/http/profile";
import { serverRoutes } from "@palisade/contract/http/servers";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

/** Fills a row at every width of the grid up to four columns. */
const cardsPerPage = 12;

export const dashboardQuery = queryOptions({
  queryKey: ["dashboard"],
  queryFn: async ({ signal }) => (await call(profileRoutes.getDashboard, { signal })).data,
  refetchInterval: 15_000,
});

export function serversQuery(page: number) {
  return queryOptions({
    queryKey: ["servers", "list", page],
    queryFn: async ({ signal }) => {
      const query = { page, per_page: cardsPerPage };
      return (await call(serverRoutes.listServers, { query, signal })).data;
    },
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
}
