import { startPaypalServer, type PaypalServer } from "@palisade/testing/paypal-server";
import { startStripeServer, type StripeServer } from "@palisade/testing/stripe/stripe-server";
import { startBillingFixture, type BillingFixture } from "./fixture.ts";

export interface ProviderFixture extends BillingFixture {
  readonly stripe: StripeServer;
  readonly paypal: PaypalServer;
}

/**
 * The product with the stand-ins of Stripe and PayPal: it calls their HTTP, browsers are sent to their
 * pages and back, and they deliver their signed events.
 */
export async function startProviderFixture(): Promise<ProviderFixture> {
  const [stripe, paypal] = await Promise.all([startStripeServer(), startPaypalServer()]);
  const fixture = await startBillingFixture({
    PALISADE_STRIPE_SECRET_KEY: stripe.secretKey,
    PALISADE_STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    PALISADE_STRIPE_API_URL: stripe.apiUrl,
    PALISADE_PAYPAL_MODE: "sandbox",
    PALISADE_PAYPAL_CLIENT_ID: paypal.clientId,
    PALISADE_PAYPAL_SECRET: paypal.secret,
    PALISADE_PAYPAL_MERCHANT_ID: paypal.merchantId,
    PALISADE_PAYPAL_WEBHOOK_ID: paypal.webhookId,
    PALISADE_PAYPAL_API_URL: paypal.url,
  });
  const webhooks = `${fixture.palisade.consoleUrl}/api/v1/webhooks`;
  stripe.deliverTo(`${webhooks}/stripe`);
  paypal.webhooks.sendTo(`${webhooks}/paypal`);
  return {
    ...fixture,
    stripe,
    paypal,
    async end() {
      await fixture.end();
      await Promise.all([stripe.close(), paypal.close()]);
    },
  };
}
