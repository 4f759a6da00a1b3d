import type { PaymentProvider, PaymentProviders } from "./payment-provider.ts";

/**
 * Who takes which method: a provider of that name, else the sandbox, which development alone has.
 */
export function createPaymentProviders(providers: readonly PaymentProvider[]): PaymentProviders {
  const named: PaymentProviders["named"] = (name) =>
    providers.find((provider) => provider.name === name);
  return { named, forMethod: (method) => named(method) ?? named("sandbox") };
}
