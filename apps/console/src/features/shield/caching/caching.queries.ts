import { cachingRoutes, type Caching } from "@palisade/contract/http/caching";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import type { Versioned } from "../shield.queries.ts";

export function cachingQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "caching"],
    queryFn: async ({ signal }): Promise<Versioned<Caching>> => {
      const answer = await call(cachingRoutes.getCaching, { params: { id }, signal });
      return { value: answer.data, etag: answer.headers.get("etag") };
    },
  });
}
