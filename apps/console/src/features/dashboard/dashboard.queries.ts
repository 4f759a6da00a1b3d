import { profileRoutes } from "@palisade/contract/http/profile";
import { serverRoutes } from "@palisade/contract/http/servers";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

/** A multiple of one to four columns, so that rows are full. */
const cardsPerPage = 12;

export const dashboardQuery = queryOptions({
  queryKey: ["dashboard"],
  queryFn: async ({ signal }) => (await call(profileRoutes.getDashboard, { signal })).data,
  refetchInterval: 15_000,
});

/** Without a status: all shields but deleted ones. */
export function shieldsQuery(page: number, status?: "deleted") {
  return queryOptions({
    queryKey: ["servers", "list", status ?? "all", page],
    queryFn: async ({ signal }) => {
      const query = { page, per_page: cardsPerPage, ...(status ? { status } : {}) };
      return (await call(serverRoutes.listServers, { query, signal })).data;
    },
    // Keep the previous page only within the same list.
    placeholderData: (previous, before) =>
      before?.queryKey[2] === (status ?? "all") ? previous : undefined,
    refetchInterval: 5_000,
  });
}
