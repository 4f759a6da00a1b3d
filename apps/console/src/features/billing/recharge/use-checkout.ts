import { billingRoutes, type PaymentMethod } from "@palisade/contract/http/billing";
import { useWindowEvent } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "#src/api/client.ts";
import { hasCode, isTransient } from "#src/api/errors.ts";
import { createIdempotencyKeys } from "#src/api/idempotency.ts";
import { queryClient } from "#src/api/query-client.ts";
import { paymentOptionsQuery } from "../billing.queries.ts";

export interface CheckoutOrder {
  readonly method: PaymentMethod;
  readonly amount: number;
  readonly promoCode: string | undefined;
}

/**
 * Starts a top-up and sends the browser to the provider. A submit whose answer was lost is repeated
 * with the same key, so that it makes one intent. Closing the modal aborts the call.
 */
export function useCheckout() {
  const keys = useRef(createIdempotencyKeys());
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const checkout = useMutation({
    mutationFn: (order: CheckoutOrder) => {
      running.current = new AbortController();
      return begin(order, keys.current.begin(order), running.current.signal);
    },
    onSuccess: (url) => {
      keys.current.settle();
      globalThis.location.assign(url);
    },
    onError: (error) => {
      // While the first request is still running, only its key leads to its answer.
      const isRunning = hasCode(error, "idempotency_in_progress");
      if (!isTransient(error) && !isRunning) keys.current.settle();
      if (hasCode(error, "daily_limit") || hasCode(error, "payment_unavailable")) {
        void queryClient.invalidateQueries({ queryKey: paymentOptionsQuery.queryKey });
      }
    },
  });

  // The browser's Back button may restore this page in its sending state.
  useWindowEvent("pageshow", ({ persisted }) => {
    if (persisted) checkout.reset();
  });
  return checkout;
}

/** @returns the address of the provider's payment page */
async function begin(order: CheckoutOrder, key: string, signal: AbortSignal): Promise<string> {
  const input = {
    body: {
      amount: order.amount,
      payment_method: order.method,
      ...(order.promoCode === undefined ? {} : { promo_code: order.promoCode }),
    },
    headers: { "idempotency-key": key },
    signal,
  };
  return order.method === "stripe"
    ? (await call(billingRoutes.createStripeIntent, input)).data.checkout_url
    : (await call(billingRoutes.createPaypalOrder, input)).data.approval_url;
}
