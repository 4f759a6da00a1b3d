import { billingRoutes, type PaymentMethod } from "@palisade/contract/http/billing";
import { call } from "#src/api/client.ts";
import { hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { paymentOptionsQuery } from "../billing.queries.ts";
import { useProviderPage } from "../provider-page.ts";

export interface CheckoutOrder {
  readonly method: PaymentMethod;
  readonly amount: number;
  readonly promoCode: string | undefined;
}

/** Starts a top-up and sends the browser to the provider. */
export function useCheckout() {
  return useProviderPage(orderCheckout, (error) => {
    if (hasCode(error, "daily_limit") || hasCode(error, "payment_unavailable")) {
      void queryClient.invalidateQueries({ queryKey: paymentOptionsQuery.queryKey });
    }
  });
}

/** @returns the address of the provider's payment page */
async function orderCheckout(
  order: CheckoutOrder,
  key: string,
  signal: AbortSignal,
): Promise<string> {
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
