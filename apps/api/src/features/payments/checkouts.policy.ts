import type { IntentRow } from "./intents.repository.ts";

const minuteMs = 60_000;

/** Stripe refuses a checkout that ends less than 30 minutes after the order arrives. */
const shortestLifeMs = 31 * minuteMs;

/** How long a checkout may be paid; long enough for a bank's second factor. */
export const checkoutLifeMs = 45 * minuteMs;

/** How long an order without an answer may be repeated: so long the provider accepts it. */
export const orderWindowMs = checkoutLifeMs - shortestLifeMs;

/**
 * Whether the intent's checkout may be ordered, for the first time or again. When the provider has
 * answered before, a repeated order only returns the checkout's address.
 */
export function mayOrder(intent: IntentRow, now: Date): boolean {
  if (intent.status !== "pending") return false;
  if (intent.reference !== null) return now < intent.expires_at;
  return now.getTime() < intent.created_at.getTime() + orderWindowMs;
}
