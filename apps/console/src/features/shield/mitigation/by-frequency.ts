import type { RefusalReason } from "@palisade/contract/edge/telemetry";

/** The most frequent first; reasons without a count are left out. */
export function byFrequency(
  refused: Readonly<Partial<Record<RefusalReason, number>>>,
): { reason: RefusalReason; amount: number }[] {
  // Keys of the record: `Object.entries` cannot know.
  return (Object.entries(refused) as [RefusalReason, number][])
    .map(([reason, amount]) => ({ reason, amount }))
    .filter(({ amount }) => amount > 0)
    .toSorted((a, b) => b.amount - a.amount);
}
