const minuteMs = 60_000;

/** Webhook and return page are nearly always faster. */
export const firstPollDelayMs = minuteMs;

/** How long to wait after the n-th look at a record that was not final: doubling, to 30 minutes. */
export function pollDelayMs(polls: number): number {
  return minuteMs * Math.min(30, 2 ** Math.min(polls, 10));
}
