import { isVatId } from "@palisade/contract/http/country-rules";
import type { SettingValues } from "@palisade/settings/settings";
import { isStripeTestKey } from "@palisade/settings/stripe-values";
import type { Seller } from "#src/features/vat/seller.ts";
import { vatCountry, vatRates } from "#src/features/vat/vat-rates.ts";

/** The settings of payments and of the seller on documents. */
export const paymentNames = [
  "PALISADE_PAYPAL_MODE",
  "PALISADE_PAYPAL_CLIENT_ID",
  "PALISADE_PAYPAL_SECRET",
  "PALISADE_PAYPAL_MERCHANT_ID",
  "PALISADE_PAYPAL_WEBHOOK_ID",
  "PALISADE_PAYPAL_API_URL",
  "PALISADE_FOUR_EYES_EUROS",
  "PALISADE_STRIPE_SECRET_KEY",
  "PALISADE_STRIPE_WEBHOOK_SECRET",
  "PALISADE_STRIPE_API_URL",
  "PALISADE_OPERATOR_NAME",
  "PALISADE_OPERATOR_ADDRESS",
  "PALISADE_OPERATOR_EMAIL",
  "PALISADE_SELLER_COUNTRY",
  "PALISADE_SELLER_VAT_ID",
  "PALISADE_VAT",
  "PALISADE_VIES_URL",
] as const;

type PaymentSettings = SettingValues<(typeof paymentNames)[number] | "PALISADE_ENV">;

export interface PaypalConfig {
  readonly mode: "sandbox" | "live";
  readonly clientId: string;
  readonly secret: string;
  readonly merchantId: string;
  readonly webhookId: string;
  /** A stand-in on this machine; undefined: PayPal itself. */
  readonly apiUrl: string | undefined;
}

export interface StripeConfig {
  readonly secretKey: string;
  readonly isTestKey: boolean;
  readonly webhookSecret: string;
  /** A stand-in on this machine; undefined: Stripe itself. */
  readonly apiUrl: string | undefined;
}

/** Adds what is wrong to the problems. */
export function readPaypal(values: PaymentSettings, problems: string[]): PaypalConfig | undefined {
  const given = {
    PALISADE_PAYPAL_CLIENT_ID: values.PALISADE_PAYPAL_CLIENT_ID,
    PALISADE_PAYPAL_SECRET: values.PALISADE_PAYPAL_SECRET,
    PALISADE_PAYPAL_MERCHANT_ID: values.PALISADE_PAYPAL_MERCHANT_ID,
    PALISADE_PAYPAL_WEBHOOK_ID: values.PALISADE_PAYPAL_WEBHOOK_ID,
  };
  const missing = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [name] : [],
  );
  if (missing.length === Object.keys(given).length) return undefined;
  const {
    PALISADE_PAYPAL_CLIENT_ID: clientId,
    PALISADE_PAYPAL_SECRET: secret,
    PALISADE_PAYPAL_MERCHANT_ID: merchantId,
    PALISADE_PAYPAL_WEBHOOK_ID: webhookId,
  } = given;
  const mode = values.PALISADE_PAYPAL_MODE;
  if ((mode === "live") !== (values.PALISADE_ENV === "production")) {
    problems.push(
      mode === "live"
        ? "PALISADE_PAYPAL_MODE is live: outside production it would take real money, so use keys of the sandbox"
        : "PALISADE_PAYPAL_MODE must be live in production: payments of the sandbox are free, and would be credited like real ones",
    );
  }
  if (
    clientId === undefined ||
    secret === undefined ||
    merchantId === undefined ||
    webhookId === undefined
  ) {
    problems.push(`PayPal needs ${missing.join(", ")} too`);
    return undefined;
  }
  const apiUrl = values.PALISADE_PAYPAL_API_URL;
  return { mode, clientId, secret, merchantId, webhookId, apiUrl };
}

/** Adds what is wrong to the problems. */
export function readStripe(values: PaymentSettings, problems: string[]): StripeConfig | undefined {
  const { PALISADE_STRIPE_SECRET_KEY: secretKey, PALISADE_STRIPE_WEBHOOK_SECRET: webhookSecret } =
    values;
  if (secretKey === undefined && webhookSecret === undefined) return undefined;
  if (secretKey === undefined || webhookSecret === undefined) {
    problems.push(
      "PALISADE_STRIPE_SECRET_KEY and PALISADE_STRIPE_WEBHOOK_SECRET must be set together",
    );
    return undefined;
  }
  const isTestKey = isStripeTestKey(secretKey);
  // Production refuses a test key where the setting is read.
  if (!isTestKey && values.PALISADE_ENV !== "production") {
    problems.push(
      "PALISADE_STRIPE_SECRET_KEY is a live key: outside production it would take real money, so use a test key",
    );
  }
  return { secretKey, isTestKey, webhookSecret, apiUrl: values.PALISADE_STRIPE_API_URL };
}

/** Adds what is wrong to the problems. */
export function readSeller(values: PaymentSettings, problems: string[]): Seller {
  const country = values.PALISADE_SELLER_COUNTRY ?? null;
  const vatId = values.PALISADE_SELLER_VAT_ID ?? null;
  const chargesVat = values.PALISADE_VAT === "on";
  if (chargesVat && (country === null || vatId === null)) {
    problems.push(
      "PALISADE_SELLER_COUNTRY and PALISADE_SELLER_VAT_ID must be set, because PALISADE_VAT is on",
    );
  }
  if (chargesVat && country !== null && !vatRates.has(vatCountry(country))) {
    problems.push(
      "PALISADE_SELLER_COUNTRY must be a country of the EU, because PALISADE_VAT is on: the rates are those of the EU",
    );
  }
  if (country !== null && vatId !== null && !isVatId(country, vatId)) {
    problems.push("PALISADE_SELLER_VAT_ID does not have the form of PALISADE_SELLER_COUNTRY");
  }
  return {
    name: values.PALISADE_OPERATOR_NAME,
    address: values.PALISADE_OPERATOR_ADDRESS,
    email: values.PALISADE_OPERATOR_EMAIL,
    country,
    vatId,
    chargesVat,
  };
}
