import { billingRoutes, type PaymentIntent } from "@palisade/contract/http/billing";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import type { BillingSearch } from "./billing-search.ts";
import { isFinal, pollDelayMs } from "./top-up-return/polling.ts";

export const paymentOptionsQuery = queryOptions({
  queryKey: ["billing", "options"],
  queryFn: async ({ signal }) => (await call(billingRoutes.getPaymentOptions, { signal })).data,
});

export function transactionsQuery(
  search: Pick<BillingSearch, "page" | "type" | "payment_method" | "status">,
) {
  const { page, type, payment_method, status } = search;
  const query = { page, type, payment_method, status };
  return queryOptions({
    queryKey: ["billing", "transactions", query],
    queryFn: async ({ signal }) =>
      (await call(billingRoutes.listTransactions, { query, signal })).data,
    placeholderData: keepPreviousData,
  });
}

/**
 * The state of a top-up. The first request makes the api ask the provider; later requests read the
 * stored state, less and less often, until it is final.
 */
export function intentQuery(id: string) {
  const queryKey = ["intents", id];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const seen = queryClient.getQueryData<PaymentIntent>(queryKey) !== undefined;
      const route = seen ? billingRoutes.getIntent : billingRoutes.confirmIntent;
      return (await call(route, { params: { id }, signal })).data.intent;
    },
    staleTime: Infinity,
    retry: false,
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && isFinal(state.data.status)) return false;
      if (statusOf(state.error) === 404) return false;
      return pollDelayMs(state.dataUpdateCount + state.errorUpdateCount);
    },
  });
}
