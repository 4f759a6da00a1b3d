import type { SavedCard } from "@palisade/contract/http/payment-methods";

/** The mail about the expiry is sent this long before. */
const soonMs = 30 * 24 * 3_600_000;

/** A card is valid until the end of its month. */
export function expiresSoon(
  { exp_month: month, exp_year: year, is_expired: isExpired }: SavedCard,
  now: Date,
): boolean {
  return !isExpired && Date.UTC(year, month, 1) - now.getTime() <= soonMs;
}

/** As on the card itself: `07/2031`. */
export function expiryText({ exp_month: month, exp_year: year }: SavedCard): string {
  return `${String(month).padStart(2, "0")}/${year}`;
}
