import {
  shieldDomainRoutes,
  type DomainSetup,
  type ShieldDomains,
} from "@palisade/contract/http/domains";
import { regionRoutes, type ShieldRegion } from "@palisade/contract/http/regions";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import type { Versioned } from "../shield.queries.ts";

/** The server checks unproven domains itself; polling shows the result without a reload. */
const pendingMs = 15_000;

export function domainsQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "domains"],
    queryFn: async ({ signal }): Promise<ShieldDomains> =>
      (await call(shieldDomainRoutes.listDomains, { params: { id }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.domains.some(({ status }) => status !== "setup_finished") ? pendingMs : false,
  });
}

/** The records without a DNS check, which takes longer. */
export function setupQuery(id: string, domainId: string) {
  return queryOptions({
    queryKey: ["servers", id, "domains", domainId, "setup"],
    queryFn: async ({ signal }): Promise<DomainSetup> => {
      const params = { id, domainId };
      const query = { look: "false" } as const;
      return (await call(shieldDomainRoutes.getDomainSetup, { params, query, signal })).data;
    },
  });
}

/** The domain's current state in DNS. */
export function dnsStatusQuery(id: string, domainId: string) {
  return queryOptions({
    queryKey: ["servers", id, "domains", domainId, "look"],
    queryFn: async ({ signal }): Promise<DomainSetup["dns"]> => {
      const params = { id, domainId };
      return (await call(shieldDomainRoutes.getDomainSetup, { params, query: {}, signal })).data
        .dns;
    },
    staleTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

export function regionQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "region"],
    queryFn: async ({ signal }): Promise<Versioned<ShieldRegion>> => {
      const answer = await call(regionRoutes.getRegion, { params: { id }, signal });
      return { value: answer.data, etag: answer.headers.get("etag") };
    },
    // The countdown starts from this answer, so it must be fresh.
    staleTime: 0,
  });
}
