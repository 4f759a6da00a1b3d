import type { IntentStatus } from "#src/schema/payments.ts";

const minuteMs = 60_000;
const pauseMsMax = 30 * minuteMs;
const dayMs = 24 * 60 * minuteMs;

/** Webhook and return page are nearly always faster. */
export const firstPollDelayMs = minuteMs;

/** For how long what expired is looked at: after that nothing that was paid is still on its way. */
export const polledAfterExpiryMs = 7 * dayMs;

/**
 * When to look again at an intent whose record is not final: pauses double, to 30 minutes while it
 * can be paid, and once it has expired they are as long as it has been so.
 *
 * @returns null: never
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

/** An event's own job is nearly always done by then. */
export const firstEventRetryMs = 10 * minuteMs;

/** How long to wait after the n-th try at an event besides its job: doubling, to 6 hours. */
export function eventRetryMs(tries: number): number {
  return firstEventRetryMs * Math.min(36, 2 ** Math.min(tries, 10));
}
