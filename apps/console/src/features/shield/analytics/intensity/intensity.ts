/** Steps of colour from little to much. */
export const intensitySteps = 5;

/** The step of an amount, 0 for none. The root lets small amounts be seen beside large ones. */
export function intensityOf(amount: number, most: number): number {
  if (amount <= 0 || most <= 0) return 0;
  return Math.max(1, Math.ceil(Math.sqrt(amount / most) * intensitySteps));
}
