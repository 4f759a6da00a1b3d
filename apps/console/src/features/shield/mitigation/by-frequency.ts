import type { RefusalReason } from "@palisade/contract/edge/plain-values";

/** Sorted by count, highest first; reasons without a count are left out. */
export function byFrequency(
  refused: Readonly<Partial<Record<RefusalReason, number>>>,
): { reason: RefusalReason; amount: number }[] {
  // `Object.entries` loses the type of the keys.
  return (Object.entries(refused) as [RefusalReason, number][])
    .map(([reason, amount]) => ({ reason, amount }))
    .filter(({ amount }) => amount > 0)
    .toSorted((a, b) => b.amount - a.amount);
}
