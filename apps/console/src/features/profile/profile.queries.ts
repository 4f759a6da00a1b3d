import {
  getProfile,
  listApiKeys,
  listSessions,
  type Profile,
} from "@palisade/contract/http/account";
import { passkeyRoutes } from "@palisade/contract/http/passkeys";
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

export const passkeysQuery = queryOptions({
  queryKey: ["profile", "passkeys"],
  queryFn: async ({ signal }) => (await call(passkeyRoutes.listPasskeys, { signal })).data.passkeys,
});

export const backupCodesQuery = queryOptions({
  queryKey: ["profile", "backup-codes"],
  queryFn: async ({ signal }) => (await call(getBackupCodes, { signal })).data,
  // New codes stay on screen: read again without recent authentication, they would only be counted.
  staleTime: "static",
  // Codes are not kept in memory after they leave the screen.
  gcTime: 0,
});

/** Codes that were just made. */
export function showBackupCodes(codes: readonly string[]): void {
  queryClient.setQueryData(backupCodesQuery.queryKey, {
    backup_codes: [...codes],
    left: codes.length,
    made_at: new Date().toISOString(),
  });
}

/**
 * Creates a secret, which replaces an earlier one that was never enabled. It runs once per visit, so
 * that a scanned secret stays valid, and is forgotten on reload or once two-factor is on.
 */
export const twoFactorSetupQuery = queryOptions({
  queryKey: ["profile", "two-factor-setup"],
  queryFn: async () => (await call(setUpTwoFactor, {})).data,
  // A change of the language reads all other queries again, but must not make a new secret.
  staleTime: "static",
  gcTime: Infinity,
  retry: false,
});

/** Shows a change of the profile before it is read again. */
export function patchProfile(change: Partial<Profile>): void {
  queryClient.setQueryData(profileQuery.queryKey, (old) => (old ? { ...old, ...change } : old));
}
