import type { ProviderName } from "#src/schema/payments.ts";

/** The ledger's account for the money that each provider holds. */
export const clearing = {
  stripe: "stripe_clearing",
  paypal: "paypal_clearing",
  sandbox: "sandbox_clearing",
} as const satisfies Record<ProviderName, string>;
