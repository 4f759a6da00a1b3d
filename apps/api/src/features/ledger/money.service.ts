/** The parts of a balance. Cash is spent first; bonus is not refundable. */
export interface Balance {
  readonly cashCents: number;
  readonly bonusCents: number;
}

/** Integer cents as the decimal string with two digits that answers carry. */
export function formatCents(cents: number): string {
  const sign = cents < 0 ? "-" : "";
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Cents of an amount as typed, `20` or `20.50`. Null for everything else: signs, exponents,
 * separators, one or three decimals, digits of other scripts.
 */
export function parseEuros(typed: string): number | null {
  const match = /^(0|[1-9][0-9]{0,12})(?:\.([0-9]{2}))?$/.exec(typed);
  if (match === null) return null;
  const [, euros, cents = "00"] = match;
  // At most 15 digits: every one of them is exact in a number.
  return Number(`${euros}${cents}`);
}

/**
 * A bigint column of cents.
 *
 * @throws RangeError beyond 2^53, where numbers are no longer exact
 */
export function readCents(column: string): number {
  const cents = Number(column);
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${column} is not an exact amount`);
  return cents;
}

/** Cash and bonus together; below 0 after a dispute. */
export function totalCents({ cashCents, bonusCents }: Balance): number {
  return cashCents + bonusCents;
}

/** The cents a purchase may use. An account in debt can spend nothing, not even its bonus. */
export function spendableCents(balance: Balance): number {
  return balance.cashCents < 0 ? 0 : totalCents(balance);
}

/** Splits a charge: cash first, then bonus. Null if the balance is too low. */
export function splitCharge(balance: Balance, cents: number): Balance | null {
  if (cents > spendableCents(balance)) return null;
  const cashCents = Math.min(cents, balance.cashCents);
  return { cashCents, bonusCents: cents - cashCents };
}
