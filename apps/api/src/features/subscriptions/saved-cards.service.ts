/**
 * The outcome of charging a saved card; `none` if there is no card, `unknown` while the provider has
 * not said whether it took the money.
 */
export type CardCharge = "paid" | "declined" | "needs-authentication" | "none" | "unknown";

/** The saved cards of accounts, as renewals and automatic top-ups use them. */
export interface SavedCards {
  /** Whether there is a card that could be tried. */
  hasSavedCard(userId: string): Promise<boolean>;
  /**
   * Charges the account's card and credits the sum to its cash balance, so that the caller can take
   * it from there. Once it was `paid`, a repetition under the same key answers `paid` and charges
   * nothing. After another answer a repetition tries again. It asks a payment provider: never call
   * it inside a transaction.
   */
  chargeSavedCard(userId: string, cents: number, businessKey: string): Promise<CardCharge>;
}
