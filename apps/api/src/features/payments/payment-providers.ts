import type { PaymentProvider, PaymentProviders } from "./payment-provider.ts";

/**
 * Who takes which method: the provider of that name. The sandbox stands in for both while neither
 * is set up (decision 20); its earlier intents stay readable afterwards.
 */
export function createPaymentProviders(providers: readonly PaymentProvider[]): PaymentProviders {
  const named: PaymentProviders["named"] = (name) =>
    providers.find((provider) => provider.name === name);
  const hasReal = providers.some(({ name }) => name !== "sandbox");
  return {
    named,
    forMethod: (method) => (hasReal ? named(method) : named("sandbox")),
  };
}
