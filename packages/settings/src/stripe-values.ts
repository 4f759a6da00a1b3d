import { z } from "zod";

/** Secret (`sk_`) and restricted (`rk_`) keys; a publishable key (`pk_`) may be copied by mistake. */
export const stripeSecretKey = z
  .string()
  .regex(
    /^[sr]k_(test|live)_[A-Za-z0-9_]{16,255}$/,
    "must be a secret or restricted key of Stripe: sk_test_, rk_test_, sk_live_ or rk_live_ and its letters and digits",
  );

export const stripeWebhookSecret = z
  .string()
  .regex(
    /^whsec_[A-Za-z0-9+/=_-]{16,255}$/,
    "must be the signing secret of a webhook endpoint of Stripe, which begins with whsec_",
  );

/** Another host would get the secret key and every payment. */
export const stripeApiUrl = z
  .string()
  .regex(
    /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):[0-9]{1,5}$/,
    "must be http://127.0.0.1:port, because it is for tests on this machine only",
  );

export function isStripeTestKey(key: string): boolean {
  return /^[sr]k_test_/.test(key);
}

/** Payments with a test key are free, and would be credited like real ones. */
export function refuseStripeTestKey(key: string): string | undefined {
  return isStripeTestKey(key)
    ? "is a test key: production needs the live key, sk_live_ or rk_live_"
    : undefined;
}
