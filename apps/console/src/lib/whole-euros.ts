/** Whole euros that cover the missing amount: top-ups have no smaller steps. */
export function wholeEuros(missingCents: number): number {
  return Math.max(1, Math.ceil(missingCents / 100));
}
