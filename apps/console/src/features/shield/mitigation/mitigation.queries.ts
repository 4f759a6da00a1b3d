import { minecraftRoutes } from "@palisade/contract/http/minecraft";
import {
  mitigationRoutes,
  updateMitigationBody,
  type Mitigation,
} from "@palisade/contract/http/mitigation";
import { replayRoutes } from "@palisade/contract/http/replay";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import type { Saved } from "../shared-form/use-shared-form.ts";
import { ifMatch, type Versioned } from "../shield.queries.ts";
import type { SettingValues } from "./settings.ts";

export function mitigationQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "mitigation"],
    queryFn: async ({ signal }): Promise<Versioned<Mitigation>> => {
      const answer = await call(mitigationRoutes.getMitigation, { params: { id }, signal });
      return { value: answer.data, etag: answer.headers.get("etag") };
    },
  });
}

export async function saveMitigation(
  id: string,
  changed: Partial<SettingValues>,
  etag: string | null,
): Promise<Saved<Mitigation>> {
  const { data, headers } = await call(mitigationRoutes.updateMitigation, {
    params: { id },
    body: updateMitigationBody.parse(changed),
    headers: ifMatch(etag),
  });
  const { mitigation, message, revision } = data;
  return { now: { value: mitigation, etag: headers.get("etag") }, message, revision };
}

/** Tries unsaved settings on the logins of the last day. It is read once. */
export function replayQuery(id: string, changed: Partial<SettingValues>) {
  return queryOptions({
    queryKey: ["servers", id, "replay", changed],
    queryFn: async ({ signal }) => {
      const body = updateMitigationBody.parse(changed);
      return (await call(replayRoutes.replayMitigation, { params: { id }, body, signal })).data;
    },
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}

/** How long players of the last week took to pass the checks. */
export function challengesQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "mitigation", "challenges"],
    queryFn: async ({ signal }) =>
      (await call(mitigationRoutes.getChallenges, { params: { id }, signal })).data,
    staleTime: 60_000,
  });
}

/** The address at which every player is checked; null where there is none. */
export function tryAddressQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "mitigation", "try"],
    queryFn: async ({ signal }) =>
      (await call(mitigationRoutes.getTryAddress, { params: { id }, signal })).data.try_address,
  });
}

/** Names of the game's versions, oldest first. */
export const versionsQuery = queryOptions({
  queryKey: ["minecraft", "versions"],
  queryFn: async ({ signal }) => (await call(minecraftRoutes.versions, { signal })).data.versions,
  staleTime: Infinity,
});
