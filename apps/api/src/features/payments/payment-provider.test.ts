import { describe, expect, test } from "vitest";
import type { ProviderName } from "#src/schema/payments.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import { createPaymentProviders } from "./payment-provider.ts";

const unasked = () => Promise.reject(new Error("No provider should be asked"));
const provider = (name: ProviderName): PaymentProvider => ({
  name,
  account: name,
  createCheckout: unasked,
  readRecord: unasked,
  readEvent: unasked,
});

describe("the provider of a payment method", () => {
  test.each<[ProviderName[], ProviderName | undefined, ProviderName | undefined]>([
    [[], undefined, undefined],
    [["sandbox"], "sandbox", "sandbox"],
    [["sandbox", "stripe"], "stripe", undefined],
    [["sandbox", "paypal"], undefined, "paypal"],
    [["sandbox", "stripe", "paypal"], "stripe", "paypal"],
    [["stripe"], "stripe", undefined],
  ])("of %j: %s by card, %s by PayPal", (names, stripe, paypal) => {
    const providers = createPaymentProviders(names.map(provider));
    expect(providers.forMethod("stripe")?.name).toBe(stripe);
    expect(providers.forMethod("paypal")?.name).toBe(paypal);
    for (const name of names) expect(providers.named(name)?.name).toBe(name);
  });
});
