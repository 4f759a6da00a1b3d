/** Steps of colour from little to much. */
export const intensitySteps = 5;

/** The step of an amount; 0 for none. */
export function intensityOf(amount: number, most: number): number {
  if (amount <= 0 || most <= 0) return 0;
  return Math.min(intensitySteps, Math.max(1, Math.ceil((amount / most) * intensitySteps)));
}
