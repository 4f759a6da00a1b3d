import type { IntentStatus } from "#src/schema/payments.ts";

const minuteMs = 60_000;
const pauseMsMax = 30 * minuteMs;
const dayMs = 24 * 60 * minuteMs;

/** The webhook and the return page nearly always settle an intent sooner. */
export const firstPollDelayMs = minuteMs;

/** How long an expired intent is polled: later than that, no payment is still under way. */
export const polledAfterExpiryMs = 7 * dayMs;

/**
 * When to poll an intent again whose record is not final. The pauses double up to 30 minutes while
 * it can be paid; after expiry each pause is as long as the time since then.
 *
 * @returns null when it is not polled any more
 */
export function nextPollAt(
  intent: { readonly status: IntentStatus; readonly polls: number; readonly expires_at: Date },
  now: Date,
): Date | null {
  if (intent.status === "pending") {
    const pauseMs = minuteMs * 2 ** Math.min(intent.polls, 10);
    return new Date(now.getTime() + Math.min(pauseMsMax, pauseMs));
  }
  const sinceMs = now.getTime() - intent.expires_at.getTime();
  if (sinceMs >= polledAfterExpiryMs) return null;
  const nextMs = Math.min(polledAfterExpiryMs, sinceMs + Math.max(pauseMsMax, sinceMs));
  return new Date(intent.expires_at.getTime() + nextMs);
}

/** By then an event's own job has nearly always processed it. */
export const firstEventRetryMs = 10 * minuteMs;

/** The poller's pause after its n-th try at an event: it doubles up to 6 hours. */
export function eventRetryMs(tries: number): number {
  return firstEventRetryMs * Math.min(36, 2 ** Math.min(tries, 10));
}
