import { automaticPaymentRoutes } from "@palisade/contract/http/automatic-payments";
import { billingRoutes, type PaymentIntent } from "@palisade/contract/http/billing";
import { paymentMethodRoutes } from "@palisade/contract/http/payment-methods";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import type { BillingSearch } from "./billing-search.ts";
import { isFinal, pollDelayMs } from "./top-up-return/polling.ts";
import type { Return } from "./use-provider-return.ts";

export const paymentOptionsQuery = queryOptions({
  queryKey: ["billing", "options"],
  queryFn: async ({ signal }) => (await call(billingRoutes.getPaymentOptions, { signal })).data,
});

/** Saved cards, the default first. */
export const cardsQuery = queryOptions({
  queryKey: ["billing", "cards"],
  queryFn: async ({ signal }) => (await call(paymentMethodRoutes.listCards, { signal })).data,
});

export const forecastQuery = queryOptions({
  queryKey: ["billing", "forecast"],
  queryFn: async ({ signal }) => (await call(automaticPaymentRoutes.getForecast, { signal })).data,
});

export const automaticTopUpQuery = queryOptions({
  queryKey: ["billing", "automatic-top-up"],
  queryFn: async ({ signal }) =>
    (await call(automaticPaymentRoutes.getAutomaticTopUp, { signal })).data,
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
 * The state of a top-up. The first request makes the api ask the provider, or close the checkout that
 * the user has left; later requests read the stored state, less and less often, until it is final.
 */
export function intentQuery({ id, isCancelled }: Return) {
  const queryKey = ["intents", id];
  const firstRoute = isCancelled ? billingRoutes.closeIntent : billingRoutes.confirmIntent;
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const seen = queryClient.getQueryData<PaymentIntent>(queryKey) !== undefined;
      const route = seen ? billingRoutes.getIntent : firstRoute;
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

/** Whether the card of a set-up is saved yet. Each request makes the api ask the provider. */
export function cardSetupQuery(id: string) {
  return queryOptions({
    queryKey: ["card-setups", id],
    queryFn: async ({ signal }) => {
      const route = paymentMethodRoutes.confirmCardSetup;
      const { setup, ...cards } = (await call(route, { params: { setupId: id }, signal })).data;
      queryClient.setQueryData(cardsQuery.queryKey, cards);
      return setup;
    },
    staleTime: Infinity,
    retry: false,
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && state.data.status !== "open") return false;
      if (statusOf(state.error) === 404) return false;
      return pollDelayMs(state.dataUpdateCount + state.errorUpdateCount);
    },
  });
}
