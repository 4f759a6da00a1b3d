import { probeRoutes, type ProbeAnswer } from "@palisade/contract/http/server-setup";
import { serverRoutes } from "@palisade/contract/http/servers";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

/** One reservation, kept until a shield uses it: opening the page again reserves nothing new. */
export const cnameQuery = queryOptions({
  queryKey: ["cname"],
  queryFn: async () => (await call(serverRoutes.generateCname, {})).data.cname_record,
  staleTime: Infinity,
  gcTime: Infinity,
});

// A check of the current entry: a failure shows at once instead of being retried, also offline, and
// an answer is reused when the user goes back and forth.
const live = { retry: false, networkMode: "always", staleTime: 30_000 } as const;

export function probeQuery(host: string, port: number) {
  return queryOptions({
    ...live,
    queryKey: ["probe", host, port],
    queryFn: async ({ signal }): Promise<ProbeAnswer> =>
      (await call(probeRoutes.probe, { body: { real_ip: host, real_port: port }, signal })).data,
    refetchOnWindowFocus: false,
  });
}
