import {
  paypalApiUrl,
  paypalKey,
  paypalMerchantId,
  paypalMode,
  paypalWebhookId,
} from "./paypal-values.ts";
import {
  refuseStripeTestKey,
  stripeApiUrl,
  stripeSecretKey,
  stripeWebhookSecret,
} from "./stripe-values.ts";
import { setting } from "./setting.ts";
import { wholeNumber } from "./value-schemas.ts";

/** Payment providers, and orders of staff about money. */
export const paymentSettings = {
  PALISADE_PAYPAL_MODE: setting({
    schema: paypalMode,
    fallback: "sandbox",
    description:
      "The PayPal that the keys are from: `sandbox`, where no money moves, or `live`. Production takes `live` only, everything else `sandbox` only.",
    programs: ["api"],
  }),
  PALISADE_PAYPAL_CLIENT_ID: setting({
    schema: paypalKey,
    fallback: null,
    description:
      "Client id of the PayPal app that takes payments (docs/operations/paypal.md). Needs the other three. Default: no payments by PayPal.",
    programs: ["api"],
  }),
  PALISADE_PAYPAL_SECRET: setting({
    schema: paypalKey,
    fallback: null,
    description: "Secret of the PayPal app.",
    programs: ["api"],
    secret: true,
  }),
  PALISADE_PAYPAL_MERCHANT_ID: setting({
    schema: paypalMerchantId,
    fallback: null,
    description:
      "Merchant id of the PayPal account that is paid. A payment to another account is not credited.",
    programs: ["api"],
  }),
  PALISADE_PAYPAL_WEBHOOK_ID: setting({
    schema: paypalWebhookId,
    fallback: null,
    description:
      "Id of the PayPal app's webhook, whose address is PALISADE_PUBLIC_URL and `/api/v1/webhooks/paypal`.",
    programs: ["api"],
  }),
  PALISADE_PAYPAL_API_URL: setting({
    schema: paypalApiUrl,
    fallback: null,
    description:
      "URL of a stand-in of PayPal on this machine, for tests. Refused in production. Default: PayPal.",
    programs: ["api"],
    refusedInProduction: () => "must not be set in production",
  }),
  PALISADE_FOUR_EYES_EUROS: setting({
    schema: wholeNumber(0, 1_000_000),
    fallback: "1000",
    description:
      "Adjustments and refunds of more euros than this, which staff order, wait until a second staff member confirms them (docs/operations/money.md).",
    programs: ["api"],
  }),
  PALISADE_STRIPE_SECRET_KEY: setting({
    schema: stripeSecretKey,
    fallback: null,
    description:
      "Secret or restricted key of the Stripe account that takes cards and bank payments: `sk_test_` or `rk_test_` outside production, `sk_live_` or `rk_live_` in it. Needs PALISADE_STRIPE_WEBHOOK_SECRET (docs/operations/stripe.md). Default: no payments by Stripe.",
    programs: ["api"],
    secret: true,
    refusedInProduction: refuseStripeTestKey,
  }),
  PALISADE_STRIPE_WEBHOOK_SECRET: setting({
    schema: stripeWebhookSecret,
    fallback: null,
    description:
      "Signing secret (`whsec_`) of the webhook endpoint at Stripe, whose address is PALISADE_PUBLIC_URL and `/api/v1/webhooks/stripe`.",
    programs: ["api"],
    secret: true,
  }),
  PALISADE_STRIPE_API_URL: setting({
    schema: stripeApiUrl,
    fallback: null,
    description:
      "URL of a stand-in of Stripe on this machine, for tests. Refused in production. Default: Stripe.",
    programs: ["api"],
    refusedInProduction: () => "must not be set in production",
  }),
} as const;
