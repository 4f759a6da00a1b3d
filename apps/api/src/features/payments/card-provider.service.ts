import type { Checkout } from "./payment-provider.ts";

/** A card as the provider shows it: never its number. */
export interface ProviderCard {
  /** The provider's id of the card. */
  readonly paymentMethod: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
}

/** A card that may be charged. */
export interface ChargeableCard {
  readonly customerId: string;
  readonly paymentMethod: string;
}

export interface CardSetup {
  readonly setupId: string;
  readonly customerId: string;
  /** Paths of this site that the browser returns to. */
  readonly successPath: string;
  readonly cancelPath: string;
}

export interface SetupRecord {
  readonly status: "open" | "completed" | "ended";
  readonly setupId: string;
  readonly customerId: string;
}

/**
 * - `carried out` its record says whether the money has arrived
 * - `declined` the bank refused
 * - `authentication` the bank wants to see the card's holder
 */
export type ChargeAnswer = "carried out" | "declined" | "authentication";

/**
 * A provider that keeps cards for later charges. Network calls have deadlines and throw when the
 * provider does not answer.
 */
export interface CardProvider {
  readonly name: "stripe" | "sandbox";
  /** This installation's account there: customers and cards belong to it. */
  readonly account: string;
  isReady(): boolean;
  /** Repeated calls for one user, also concurrent ones, return the same customer. */
  createCustomer(userId: string): Promise<string>;
  /** Repeated calls for one set-up return the same page. */
  createSetup(setup: CardSetup): Promise<Checkout>;
  /** @returns null if the provider knows no such set-up */
  readSetup(reference: string): Promise<SetupRecord | null>;
  listCards(customerId: string): Promise<readonly ProviderCard[]>;
  /** The card can never be charged again. Repeated calls change nothing. */
  removeCard(paymentMethod: string): Promise<void>;
  /** Deletes the customer and all cards. Repeated calls change nothing. */
  removeCustomer(customerId: string): Promise<void>;
  /**
   * Prepares a charge, which moves no money yet.
   *
   * @returns its reference; null if the provider refuses it for good, for example because the card is
   *   gone
   */
  prepareCharge(charge: {
    readonly intentId: string;
    readonly amountCents: number;
    readonly card: ChargeableCard;
  }): Promise<string | null>;
  /** Charges once, however often it is called. */
  confirmCharge(charge: {
    readonly intentId: string;
    readonly reference: string;
  }): Promise<ChargeAnswer>;
  /** The charge moves no money from now on, unless it has already. */
  cancelCharge(reference: string): Promise<void>;
}
