import { paymentMethodRoutes } from "@palisade/contract/http/payment-methods";
import { call } from "#src/api/client.ts";
import { useProviderPage } from "../provider-page.ts";

/** Begins to save a card and sends the browser to the provider's page. */
export function useCardSetup() {
  return useProviderPage(async (_order: null, key: string, signal: AbortSignal) => {
    const headers = { "idempotency-key": key };
    const { data } = await call(paymentMethodRoutes.setupCard, { headers, signal });
    return data.checkout_url;
  });
}
