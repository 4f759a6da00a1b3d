import type { Platform } from "#src/platform/platform.ts";
import { createPaypalClient } from "./paypal-client.ts";
import { checkPaypalKeys } from "./paypal-keys.ts";
import { createPaypalProvider, type PaypalProvider } from "./paypal-provider.ts";

const apiUrls = {
  sandbox: "https://api-m.sandbox.paypal.com",
  live: "https://api-m.paypal.com",
} as const;

/** PayPal as the settings name it; undefined without keys. */
export function createPaypal(
  { config, clock, log }: Pick<Platform, "config" | "clock" | "log">,
  origin: () => string,
): { readonly provider: PaypalProvider; start(): Promise<void> } | undefined {
  if (config.paypal === undefined) return undefined;
  const { mode, apiUrl, clientId, secret, merchantId, webhookId } = config.paypal;
  const client = createPaypalClient({ baseUrl: apiUrl ?? apiUrls[mode], clientId, secret });
  return {
    provider: createPaypalProvider({ client, clock, merchantId, webhookId, origin }),
    start: () => checkPaypalKeys(client, log),
  };
}
