import type { IntentRow } from "./intents.repository.ts";

const minuteMs = 60_000;

/** Stripe takes no order that ends in less than 30 minutes from its arrival there. */
const shortestLifeMs = 31 * minuteMs;

/** How long a checkout may be paid; long enough for a bank's second factor. */
export const checkoutLifeMs = 45 * minuteMs;

/** How long an order that got no answer may be repeated: the provider still takes it then. */
export const orderWindowMs = checkoutLifeMs - shortestLifeMs;

/**
 * Whether the intent's checkout may be ordered, again or for the first time. One that has been
 * answered is only asked for its address.
 */
export function mayOrder(intent: IntentRow, now: Date): boolean {
  if (intent.status !== "pending") return false;
  if (intent.reference !== null) return now < intent.expires_at;
  return now.getTime() < intent.created_at.getTime() + orderWindowMs;
}
