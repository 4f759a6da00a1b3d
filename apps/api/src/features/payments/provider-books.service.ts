import type { PaymentProvider } from "./payment-provider.ts";

/** One line of a provider's own list of what moved. */
export interface ProviderMovement {
  /** The provider's id of it. */
  readonly id: string;
  readonly kind: "payment" | "refund" | "reversal";
  /** Above 0 towards this installation, before the provider's fee. */
  readonly cents: number;
  readonly currency: string;
  readonly at: Date;
  /** As this installation named it when it ordered; null if the provider does not say. */
  readonly intentId: string | null;
  /** Other names by which staff may know its payment: the provider's id, the intent. */
  readonly related: readonly string[];
}

/** A provider whose list can be compared with the ledger. */
export interface ReportingProvider extends PaymentProvider {
  /** Lists the movements from a moment to another, the first included. @throws without an answer */
  listMovements(from: Date, to: Date): Promise<readonly ProviderMovement[]>;
}

export function canReport(provider: PaymentProvider): provider is ReportingProvider {
  return "listMovements" in provider;
}
