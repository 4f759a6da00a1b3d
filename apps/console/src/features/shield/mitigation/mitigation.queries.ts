import { minecraftRoutes } from "@palisade/contract/http/minecraft";
import { mitigationRoutes, type Mitigation } from "@palisade/contract/http/mitigation";
import type { RefusalReason } from "@palisade/contract/edge/telemetry";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import type { Versioned } from "../shield.queries.ts";

/** With what shadow mode has counted in the last 24 hours. */
export type Settings = Mitigation & {
  readonly shadowed_24h?: Readonly<Partial<Record<RefusalReason, number>>>;
};

export function mitigationQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "mitigation"],
    queryFn: async ({ signal }): Promise<Versioned<Settings>> => {
      const answer = await call(mitigationRoutes.getMitigation, { params: { id }, signal });
      return { value: answer.data, etag: answer.headers.get("etag") };
    },
  });
}

/** Names of the game's versions, oldest first. */
export const versionsQuery = queryOptions({
  queryKey: ["minecraft", "versions"],
  queryFn: async ({ signal }) => (await call(minecraftRoutes.versions, { signal })).data.versions,
  staleTime: Infinity,
});
