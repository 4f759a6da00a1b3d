import { runDoctor } from "@palisade/contract/http/server-setup";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

/**
 * A look at everything between players and the server. It knocks on real doors, so it runs when
 * somebody opens the page or asks for it, and never by itself; what it found is kept meanwhile.
 */
export function doctorQuery(id: string) {
  return queryOptions({
    // Not below the shield's key: saving a setting must not start an examination.
    queryKey: ["doctor", id],
    queryFn: async ({ signal }) => (await call(runDoctor, { params: { id }, signal })).data,
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
