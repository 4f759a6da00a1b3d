import { domainCheckRoutes } from "@palisade/contract/http/server-setup";
import { useDebouncedValue } from "@mantine/hooks";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./client.ts";

/**
 * Asked about what is typed right now: a failure is told at once instead of repeated in silence,
 * also without a connection, and an answer serves for going back and forth.
 */
const live = {
  retry: false,
  networkMode: "always",
  staleTime: 30_000,
  refetchOnWindowFocus: false,
} as const;

export const domainQueries = ["check-domain"] as const;

export function domainQuery(domain: string) {
  return queryOptions({
    ...live,
    queryKey: [...domainQueries, domain],
    queryFn: async ({ signal }) =>
      (await call(domainCheckRoutes.checkDomain, { body: { domain }, signal })).data.domain,
  });
}

export function dnsQuery(domain: string, cname: string) {
  return queryOptions({
    ...live,
    staleTime: 0,
    queryKey: ["check-cname", domain, cname],
    queryFn: async ({ signal }) =>
      (await call(domainCheckRoutes.checkCname, { body: { domain, cname_record: cname }, signal }))
        .data,
  });
}

/** Section 9: availability is asked 800 ms after the last key, from 3 characters on. */
const debounceMs = 800;
const charactersMin = 3;

/**
 * Whether what is typed can be claimed: asked once the keys are still.
 *
 * @param normalize to the stored form, null where it is no domain
 */
export function useAvailability(typed: string, normalize: (typed: string) => string | null) {
  const text = typed.trim();
  const name = text.length < charactersMin ? null : normalize(text);
  const [settled] = useDebouncedValue(name, debounceMs);
  const check = useQuery({
    ...domainQuery(name ?? ""),
    enabled: name !== null && settled === name,
  });
  return {
    name,
    free: check.data,
    isChecking: name !== null && (settled !== name || check.isFetching),
    // Only about what stands there now: a new value clears the error.
    error: name !== null && check.isError && !check.isFetching ? check.error : null,
  };
}
