import { runDoctor } from "@palisade/contract/http/server-setup";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

/**
 * The doctor's report. A check contacts real servers, so it runs only when a user opens the page or
 * asks for it. The last report stays in the cache.
 */
export function doctorQuery(id: string) {
  return queryOptions({
    // Not below the shield's key: saving a setting must not start a check.
    queryKey: ["doctor", id],
    queryFn: async ({ signal }) => (await call(runDoctor, { params: { id }, signal })).data,
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
