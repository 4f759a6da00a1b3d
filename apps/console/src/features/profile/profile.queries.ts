import {
  getProfile,
  listApiKeys,
  listSessions,
  type Profile,
} from "@palisade/contract/http/account";
import { getBackupCodes, setUpTwoFactor } from "@palisade/contract/http/two-factor";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";

export const profileQuery = queryOptions({
  queryKey: ["profile"],
  queryFn: async ({ signal }) => (await call(getProfile, { signal })).data.profile,
});

export const sessionsQuery = queryOptions({
  queryKey: ["profile", "sessions"],
  queryFn: async ({ signal }) => (await call(listSessions, { signal })).data.sessions,
});

export const apiKeysQuery = queryOptions({
  queryKey: ["profile", "api-keys"],
  queryFn: async ({ signal }) => (await call(listApiKeys, { signal })).data.api_keys,
});

export const backupCodesQuery = queryOptions({
  queryKey: ["profile", "backup-codes"],
  queryFn: async ({ signal }) => (await call(getBackupCodes, { signal })).data,
  // Codes are not kept longer than they are looked at.
  gcTime: 0,
});

/**
 * Makes a secret, and voids the one before: once per visit, so that what was scanned stays good.
 * Gone from here with the page's reload, or once it is in force.
 */
export const twoFactorSetupQuery = queryOptions({
  queryKey: ["profile", "two-factor-setup"],
  queryFn: async () => (await call(setUpTwoFactor, {})).data,
  // Another language asks for everything again, but not for this.
  staleTime: "static",
  gcTime: Infinity,
  retry: false,
});

/** Shows what a change made of the profile, before anything is read again. */
export function patchProfile(change: Partial<Profile>): void {
  queryClient.setQueryData(profileQuery.queryKey, (old) => (old ? { ...old, ...change } : old));
}
