import { backendRoutes, type Backends } from "@palisade/contract/http/backends";
import { originRoutes, type Origin } from "@palisade/contract/http/origin";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

/** Health is polled, so that a server that goes down is seen without a reload. */
const healthMs = 3_000;

export function backendsQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "backends"],
    queryFn: async ({ signal }): Promise<Backends> =>
      (await call(backendRoutes.getBackends, { params: { id }, signal })).data,
    staleTime: 0,
    refetchInterval: healthMs,
  });
}

export function originQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "origin"],
    queryFn: async ({ signal }): Promise<Origin> =>
      (await call(originRoutes.getOrigin, { params: { id }, signal })).data,
    staleTime: 30_000,
  });
}
