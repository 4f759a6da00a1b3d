import { domainCheckRoutes } from "@palisade/contract/http/server-setup";
import { useDebouncedValue } from "@mantine/hooks";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./client.ts";

/** Checks of typed input report a failure at once, also offline. Answers are reused for 30 s. */
const typedInput = {
  retry: false,
  networkMode: "always",
  staleTime: 30_000,
  refetchOnWindowFocus: false,
} as const;

export const domainQueries = ["check-domain"] as const;

export function domainQuery(domain: string) {
  return queryOptions({
    ...typedInput,
    queryKey: [...domainQueries, domain],
    queryFn: async ({ signal }) =>
      (await call(domainCheckRoutes.checkDomain, { body: { domain }, signal })).data.domain,
  });
}

export function dnsQuery(domain: string, cname: string) {
  return queryOptions({
    ...typedInput,
    staleTime: 0,
    queryKey: ["check-cname", domain, cname],
    queryFn: async ({ signal }) =>
      (await call(domainCheckRoutes.checkCname, { body: { domain, cname_record: cname }, signal }))
        .data,
  });
}

const debounceMs = 800;
const charactersMin = 3;

/**
 * Checks whether the typed domain can be claimed, once the user stops typing.
 *
 * @param normalize returns the stored form, or null if the text is not a domain
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
    // A new value clears the error.
    error: name !== null && check.isError && !check.isFetching ? check.error : null,
  };
}
