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

/** Whole euros that cover the missing amount: top-ups have no smaller steps. */
export function eurosFor(missingCents: number): number {
  return Math.max(1, Math.ceil(missingCents / 100));
}

/**
 * How long the balance lasts:
 *
 * - `nothing` no renewal is paid from it
 * - `until` it covers the renewals before this time
 * - `long` no end within the two years that the api looks ahead
 * - `card` a saved card pays first, so the balance is not counted down
 */
export type Outlook =
  | { readonly kind: "nothing" | "long" | "card" }
  | { readonly kind: "until"; readonly at: string };

export function outlookOf(
  { balance_lasts_until: at, monthly_cents: monthly }: BalanceForecast,
  hasCard: boolean,
): Outlook {
  if (monthly === 0) return { kind: "nothing" };
  if (at !== null) return { kind: "until", at };
  return { kind: hasCard ? "card" : "long" };
}
