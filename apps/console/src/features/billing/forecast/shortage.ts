import type { BalanceForecast } from "@palisade/contract/http/automatic-payments";

type Renewal = BalanceForecast["renewals"][number];

export interface Shortage {
  /** The first renewal that the balance does not cover. */
  readonly renewal: Renewal;
  /** The sum that the next renewals from the balance lack together. */
  readonly missingCents: number;
}

/** Null while the balance covers the next renewals that it pays. */
export function shortageOf(
  { renewals }: Pick<BalanceForecast, "renewals">,
  balanceCents: number,
): Shortage | null {
  const renewal = renewals.find(({ covered }) => covered === false);
  if (renewal === undefined) return null;
  const needed = renewals
    .filter(({ covered }) => covered !== null)
    .reduce((sum, { price_cents }) => sum + price_cents, 0);
  return { renewal, missingCents: Math.max(0, needed - balanceCents) };
}
