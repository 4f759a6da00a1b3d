import type { BalanceForecast } from "@palisade/contract/http/automatic-payments";

/**
 * How long the balance lasts:
 *
 * - `nothing` no renewal is paid from it
 * - `until` it covers the renewals before this time
 * - `long` no end within the two years that the api looks ahead
 * - `card` a saved card pays first, so the balance is not counted down
 */
export type BalanceDuration =
  | { readonly kind: "nothing" | "long" | "card" }
  | { readonly kind: "until"; readonly at: string };

export function balanceDurationOf(
  { balance_lasts_until: at, monthly_cents: monthly }: BalanceForecast,
  hasCard: boolean,
): BalanceDuration {
  if (monthly === 0) return { kind: "nothing" };
  if (at !== null) return { kind: "until", at };
  return { kind: hasCard ? "card" : "long" };
}
